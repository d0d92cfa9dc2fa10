import type { usage as english } from '../en/usage.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the page of the usage. */
export const usage: SameTexts<typeof english> = {
  'usage.title': 'Utilisation',
  'usage.lead':
    'Combien de requêtes vos clés d’API ont faites chaque heure, par rapport aux limites de cet environnement. Les utilisateurs de ce tableau de bord ont leur propre limite et ne sont pas comptés.',
  'usage.range': 'Période',
  'usage.day': 'Dernières 24 heures',
  'usage.week': '7 derniers jours',
  'usage.key': 'Clé d’API',
  'usage.allKeys': 'Toutes les clés d’API',
  'usage.thisHour': 'Cette heure',
  'usage.of': '{count} sur {limit}',
  'usage.requests': 'Requêtes',
  'usage.succeeded': 'Réussies',
  'usage.client_errors': 'Refusées (4xx)',
  'usage.server_errors': 'En échec (5xx)',
  'usage.limited': 'Au-delà de la limite (429)',
  'usage.none': 'Aucune requête',
  'usage.scale': 'Échelle',
  'usage.toLimit': 'Échelle : jusqu’à la limite',
  'usage.toPeak': 'Échelle : jusqu’à l’heure la plus chargée',
  'usage.limitLine': 'Limite : {count} par heure',
  'usage.limits':
    'Toutes les clés partagent {count} requêtes par heure d’horloge (UTC) et {minute} par minute d’horloge.',
  'usage.limitAbove': 'La limite est au-dessus de cette échelle.',
  'usage.summary':
    'Requêtes de chaque heure : {requests} au total, et {limited} au-delà de la limite de {count} par heure. Le tableau ci-dessous donne les chiffres.',
  'usage.table': 'Heures avec des requêtes, en tableau',
  'usage.hour': 'Heure',
  'usage.emptyTitle': 'Aucune requête pendant cette période',
  'usage.empty': 'Appelez l’API avec une de vos clés : ses requêtes sont comptées ici en quelques secondes.',
};

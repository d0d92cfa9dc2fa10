import type { requests as english } from '../en/requests.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the pages of requests. */
export const requests: SameTexts<typeof english> = {
  'requests.title': 'Requêtes',
  'requests.lead': 'Ce que vos clés et les utilisateurs de ce tableau de bord ont demandé ces sept derniers jours.',
  'requests.emptyTitle': 'Aucune requête pour le moment',
  'requests.empty': 'Appelez l’API avec une de vos clés : ses requêtes apparaissent ici en quelques secondes.',
  'requests.noneFound': 'Aucune requête ne correspond',
  'requests.clear': 'Effacer les filtres',
  'requests.all': 'Toutes',
  'requests.status': 'Statut',
  'requests.status.2xx': 'Réussies (2xx)',
  'requests.status.4xx': 'Refusées (4xx)',
  'requests.status.5xx': 'En échec (5xx)',
  'requests.method': 'Méthode',
  'requests.allKeys': 'Toutes les clés d’API',
  'requests.users': 'Utilisateurs du tableau de bord',
  'requests.path': 'Le chemin commence par',
  'requests.id': 'ID de la requête',
  'requests.request': 'Requête',
  'requests.who': 'Par',
  'requests.took': 'Durée',
  'requests.at': 'Quand',
  'requests.network': 'Réseau',
  'requests.unknownPath': '(chemin inconnu)',
  'requests.back': 'Toutes les requêtes',
  'requests.query': 'Paramètres',
  'requests.noQuery': 'La requête n’avait pas de paramètres.',
  'requests.noBodies':
    'Ni corps ni en-têtes ne sont conservés. Les valeurs qui peuvent nommer une personne sont masquées.',
  'requests.events': 'Événements de cette requête',
  'requests.noEvents': 'Cette requête n’a causé aucun événement.',
};

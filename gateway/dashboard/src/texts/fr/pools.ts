import type { pools as english } from '../en/pools.ts';
import type { SameTexts } from '../same-texts.ts';

export const pools: SameTexts<typeof english> = {
  'pools.title': 'Piscines',
  'pools.lead':
    'Là où les cours ont lieu. Avec des lignes d’eau, jamais plus de groupes que de lignes ne sont réservés à la fois.',
  'pools.emptyTitle': 'Pas encore de piscines',
  'pools.empty':
    'Ajoutez-en une, et des cours pourront y être réservés ; chaque ligne d’eau a une ligne dans le calendrier.',
  'pools.add': 'Ajouter une piscine',
  'pools.edit': 'Modifier la piscine',
  'pools.editNamed': 'Modifier « {name} »',
  'pools.change': 'Modifier',
  'pools.name': 'Piscine',
  'pools.address': 'Adresse',
  'pools.lanes': 'Lignes d’eau',
  'pools.lanesHint': 'Groupes qui peuvent nager à la fois ; vide pour ne pas limiter.',
  'pools.noLanes': 'Saisissez un nombre de 1 à 100, ou rien.',
  'pools.unlimited': 'Sans limite',
  'pools.latitude': 'Latitude',
  'pools.latitudeHint': 'Degrés nord, par exemple 52,532.',
  'pools.longitude': 'Longitude',
  'pools.longitudeHint': 'Degrés est, par exemple 13,385.',
  'pools.noDegrees': 'Saisissez des degrés de −{most} à {most}.',
  'pools.zone': 'Fuseau horaire',
  'pools.removeNamed': 'Retirer « {name} »',
  'pools.removeText':
    'On ne pourra plus y réserver de cours ; les cours passés gardent la piscine. Une piscine où des cours doivent encore avoir lieu ne peut pas être retirée.',
  'pools.locate': 'Utiliser ma position',
  'pools.notLocated': 'Votre position est introuvable. Autorisez-la dans le navigateur, ou saisissez les coordonnées.',
  'pools.placeHint': 'Ou collez les deux à la fois, comme les cartes du web les copient : 52.532, 13.385.',
};

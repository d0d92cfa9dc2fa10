import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familles',
  'connections.title.family': 'Écoles',
  'connections.lead.school':
    'Les familles dont vous pouvez voir et inscrire les élèves : dès leur première réservation, tant que le lien dure.',
  'connections.lead.family': 'Les écoles qui peuvent voir et inscrire vos enfants.',
  'connections.emptyTitle.school': 'Aucune famille ici',
  'connections.emptyTitle.family': 'Aucune école ici',
  'connections.empty.school': 'Une famille apparaît ici avec sa première réservation.',
  'connections.empty.family': 'Une école apparaît ici avec votre première réservation.',
  'connections.school': 'École',
  'connections.origin': 'Créé par',
  'connections.origin.booking': 'Une réservation',
  'connections.origin.family': 'La famille',
  'connections.origin.school': 'L’école',
  'connections.externalId': 'Votre numéro',
  'connections.active': 'Liée',
  'connections.ended': 'Terminée',
  'connections.endedBy.family': 'Terminée par la famille',
  'connections.endedBy.school': 'Terminée par l’école',
  'connections.endedBy.time': 'Terminée après un an',
  'connections.end': 'Mettre fin au lien',
  'connections.endNamed': 'Terminer le lien : {name}',
  'connections.endTitle': 'Mettre fin à ce lien',
  'connections.endText.school':
    'Tous les cours à venir sont annulés, comme par vous, et vous ne pouvez plus voir ces élèves. Ce qui est dû reste dû. La famille ne peut plus réserver avant que vous ne rouvriez le lien.',
  'connections.endText.family':
    'Tous les cours à venir avec cette école sont annulés, comme par vous, avec les frais habituels, et elle ne peut plus voir vos enfants. Ce qui est dû reste dû.',
  'connections.reopen': 'Rouvrir',
  'connections.reopenNamed': 'Rouvrir le lien : {name}',
  'connections.children': 'Enfants …',
  'connections.childrenNamed': 'Choisir les enfants : {name}',
  'connections.childrenTitle': 'Enfants que l’école peut voir et inscrire',
  'connections.childrenText': 'Les cours à venir d’un enfant retiré sont annulés.',
};

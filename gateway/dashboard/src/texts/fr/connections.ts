import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familles',
  'connections.title.family': 'Écoles',
  'connections.lead.school':
    'Les familles dont vous pouvez voir et inscrire les élèves, et d’anciennes familles qui vous doivent encore de l’argent.',
  'connections.lead.family':
    'Les écoles qui peuvent voir vos enfants et réserver des cours pour eux, et celles qui le pouvaient avant.',
  'connections.emptyTitle.school': 'Aucune famille ici',
  'connections.emptyTitle.family': 'Aucune école ici',
  'connections.empty.school': 'Une famille apparaît ici quand elle réserve ou crée un lien, ou quand vous la créez.',
  'connections.empty.family':
    'Une école apparaît ici quand vous réservez ou créez un lien, ou quand elle crée votre compte.',
  'connections.school': 'École',
  'connections.origin': 'Créé par',
  'connections.origin.booking': 'Une réservation',
  'connections.origin.family': 'La famille',
  'connections.origin.school': 'L’école',
  'connections.externalId': 'Votre numéro',
  'connections.active': 'Liée',
  'connections.endedBy.family': 'Terminée par la famille',
  'connections.endedBy.school': 'Terminée par l’école',
  'connections.endedBy.time': 'Terminée après un an',
  'connections.end': 'Mettre fin au lien',
  'connections.endNamed': 'Terminer le lien : {name}',
  'connections.endText.school':
    'Tous les cours à venir sont annulés, comme si vous les aviez annulés, et vous ne pouvez plus voir ces élèves. Ce qui est dû reste dû. La famille ne peut plus réserver avant que vous ne rouvriez le lien.',
  'connections.endText.family':
    'Tous les cours à venir avec cette école sont annulés, comme si vous les aviez annulés, avec les frais habituels, et l’école ne peut plus voir vos enfants. Ce qui est dû reste dû.',
  'connections.endText.unclaimed':
    'Cette famille n’a pas réclamé son compte. Mettre fin au lien annule ses cours à venir et efface le compte et ses élèves. Cela ne peut pas être annulé.',
  'connections.reopen': 'Rouvrir',
  'connections.reopenNamed': 'Rouvrir le lien : {name}',
  'connections.children': 'Enfants …',
  'connections.childrenNamed': 'Choisir les enfants : {name}',
  'connections.childrenTitle': 'Enfants que l’école peut voir et pour qui elle peut réserver des cours',
  'connections.childrenText': 'Les cours à venir d’un enfant que vous retirez sont annulés, avec les frais habituels.',
  'families.family': 'Famille',
  'families.erased': 'Effacée',
  'families.unclaimed': 'Non réclamée',
  'families.overdue': '{amount} en retard',
  'families.search': 'Nom ou e-mail',
  'families.view.all': 'Toutes les familles',
  'families.view.due': 'Celles qui doivent',
  'families.view.ended': 'Liens terminés',
};

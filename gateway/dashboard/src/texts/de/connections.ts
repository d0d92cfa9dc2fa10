import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familien',
  'connections.title.family': 'Schulen',
  'connections.lead.school':
    'Die Familien, deren Mitglieder Sie sehen und für die Sie buchen dürfen, und frühere Familien, die Ihnen noch etwas schulden.',
  'connections.lead.family':
    'Die Schulen, die Ihre Kinder sehen und Stunden für sie buchen dürfen, und die, die es früher durften.',
  'connections.emptyTitle.school': 'Keine Familien hier',
  'connections.emptyTitle.family': 'Keine Schulen hier',
  'connections.empty.school':
    'Eine Familie erscheint hier, wenn sie bucht oder sich verbindet oder wenn Sie sie anlegen.',
  'connections.empty.family':
    'Eine Schule erscheint hier, wenn Sie buchen oder sich verbinden oder wenn sie Ihr Konto anlegt.',
  'connections.school': 'Schule',
  'connections.origin': 'Entstanden durch',
  'connections.origin.booking': 'Eine Buchung',
  'connections.origin.family': 'Die Familie',
  'connections.origin.school': 'Die Schule',
  'connections.externalId': 'Ihre Nummer',
  'connections.active': 'Verbunden',
  'connections.endedBy.family': 'Von der Familie beendet',
  'connections.endedBy.school': 'Von der Schule beendet',
  'connections.endedBy.time': 'Nach einem Jahr beendet',
  'connections.end': 'Verbindung beenden',
  'connections.endNamed': 'Verbindung beenden: {name}',
  'connections.endText.school':
    'Alle kommenden Stunden werden abgesagt, als hätten Sie sie abgesagt, und Sie sehen diese Mitglieder nicht mehr. Offene Beträge bleiben offen. Die Familie kann erst wieder buchen, wenn Sie die Verbindung öffnen.',
  'connections.endText.family':
    'Alle kommenden Stunden bei dieser Schule werden abgesagt, als hätten Sie sie abgesagt, mit den üblichen Gebühren, und die Schule sieht Ihre Kinder nicht mehr. Offene Beträge bleiben offen.',
  'connections.endText.unclaimed':
    'Diese Familie hat ihr Konto nicht übernommen. Wenn Sie die Verbindung beenden, werden ihre kommenden Stunden abgesagt und das Konto und seine Mitglieder gelöscht. Das lässt sich nicht rückgängig machen.',
  'connections.reopen': 'Wieder öffnen',
  'connections.reopenNamed': 'Verbindung wieder öffnen: {name}',
  'connections.children': 'Kinder …',
  'connections.childrenNamed': 'Kinder wählen: {name}',
  'connections.childrenTitle': 'Kinder, die die Schule sehen und für die sie Stunden buchen darf',
  'connections.childrenText':
    'Kommende Stunden eines Kindes, das Sie entfernen, werden mit den üblichen Gebühren abgesagt.',
  'families.family': 'Familie',
  'families.erased': 'Gelöscht',
  'families.unclaimed': 'Nicht übernommen',
  'families.overdue': '{amount} überfällig',
  'families.search': 'Name oder E-Mail',
  'families.view.all': 'Alle Familien',
  'families.view.due': 'Mit offenen Beträgen',
  'families.view.ended': 'Beendete Verbindungen',
};

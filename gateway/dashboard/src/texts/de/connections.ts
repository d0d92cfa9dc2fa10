import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familien',
  'connections.title.family': 'Schulen',
  'connections.lead.school':
    'Die Familien, deren Mitglieder Sie sehen und buchen dürfen: ab der ersten Buchung, solange die Verbindung besteht.',
  'connections.lead.family': 'Die Schulen, die Ihre Kinder sehen und buchen dürfen.',
  'connections.emptyTitle.school': 'Keine Familien hier',
  'connections.emptyTitle.family': 'Keine Schulen hier',
  'connections.empty.school': 'Eine Familie erscheint hier mit ihrer ersten Buchung.',
  'connections.empty.family': 'Eine Schule erscheint hier mit Ihrer ersten Buchung.',
  'connections.school': 'Schule',
  'connections.origin': 'Entstanden durch',
  'connections.origin.booking': 'Eine Buchung',
  'connections.origin.family': 'Die Familie',
  'connections.origin.school': 'Die Schule',
  'connections.externalId': 'Ihre Nummer',
  'connections.active': 'Verbunden',
  'connections.ended': 'Beendet',
  'connections.endedBy.family': 'Von der Familie beendet',
  'connections.endedBy.school': 'Von der Schule beendet',
  'connections.endedBy.time': 'Nach einem Jahr beendet',
  'connections.end': 'Verbindung beenden',
  'connections.endNamed': 'Verbindung beenden: {name}',
  'connections.endTitle': 'Die Verbindung beenden',
  'connections.endText.school':
    'Alle kommenden Stunden werden abgesagt, wie durch Sie, und Sie sehen diese Mitglieder nicht mehr. Offene Beträge bleiben offen. Die Familie kann erst wieder buchen, wenn Sie die Verbindung öffnen.',
  'connections.endText.family':
    'Alle kommenden Stunden bei dieser Schule werden abgesagt, wie durch Sie, mit den üblichen Gebühren, und sie sieht Ihre Kinder nicht mehr. Offene Beträge bleiben offen.',
  'connections.reopen': 'Wieder öffnen',
  'connections.reopenNamed': 'Verbindung wieder öffnen: {name}',
  'connections.children': 'Kinder …',
  'connections.childrenNamed': 'Kinder wählen: {name}',
  'connections.childrenTitle': 'Kinder, die die Schule sehen und buchen darf',
  'connections.childrenText': 'Kommende Stunden eines Kindes, das wegfällt, werden abgesagt.',
};

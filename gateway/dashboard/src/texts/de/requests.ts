import type { requests as english } from '../en/requests.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the pages of requests. */
export const requests: SameTexts<typeof english> = {
  'requests.title': 'Anfragen',
  'requests.lead':
    'Was Ihre Schlüssel und die Personen in diesem Dashboard in den letzten sieben Tagen angefragt haben.',
  'requests.emptyTitle': 'Noch keine Anfragen',
  'requests.empty':
    'Rufen Sie die API mit einem Ihrer Schlüssel auf: Die Anfragen erscheinen hier nach wenigen Sekunden.',
  'requests.noneFound': 'Keine passenden Anfragen',
  'requests.clear': 'Filter löschen',
  'requests.all': 'Alle',
  'requests.status': 'Status',
  'requests.status.2xx': 'Erfolgreich (2xx)',
  'requests.status.4xx': 'Abgelehnt (4xx)',
  'requests.status.5xx': 'Fehlgeschlagen (5xx)',
  'requests.method': 'Methode',
  'requests.allKeys': 'Alle API-Schlüssel',
  'requests.users': 'Personen im Dashboard',
  'requests.path': 'Pfad beginnt mit',
  'requests.id': 'Anfrage-ID',
  'requests.request': 'Anfrage',
  'requests.who': 'Von',
  'requests.took': 'Dauer',
  'requests.at': 'Wann',
  'requests.network': 'Netz',
  'requests.unknownPath': '(unbekannter Pfad)',
  'requests.back': 'Alle Anfragen',
  'requests.query': 'Parameter',
  'requests.noQuery': 'Die Anfrage hatte keine Parameter.',
  'requests.noBodies':
    'Inhalte und Kopfzeilen werden nicht aufbewahrt. Werte, die eine Person nennen könnten, sind unkenntlich.',
  'requests.events': 'Ereignisse dieser Anfrage',
  'requests.noEvents': 'Diese Anfrage hat keine Ereignisse ausgelöst.',
};

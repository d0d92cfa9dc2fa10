import type { usage as english } from '../en/usage.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the page of the usage. */
export const usage: SameTexts<typeof english> = {
  'usage.title': 'Nutzung',
  'usage.lead':
    'Wie viele Anfragen Ihre API-Schlüssel in jeder Stunde gestellt haben, gemessen an den Grenzen dieser Umgebung. Personen in diesem Dashboard haben eine eigene Grenze und werden nicht gezählt.',
  'usage.range': 'Zeitraum',
  'usage.day': 'Letzte 24 Stunden',
  'usage.week': 'Letzte 7 Tage',
  'usage.key': 'API-Schlüssel',
  'usage.allKeys': 'Alle API-Schlüssel',
  'usage.thisHour': 'Diese Stunde',
  'usage.of': '{count} von {limit}',
  'usage.requests': 'Anfragen',
  'usage.succeeded': 'Erfolgreich',
  'usage.client_errors': 'Abgelehnt (4xx)',
  'usage.server_errors': 'Fehlgeschlagen (5xx)',
  'usage.limited': 'Über der Grenze (429)',
  'usage.none': 'Keine Anfragen',
  'usage.scale': 'Skala',
  'usage.toLimit': 'Skala: bis zur Grenze',
  'usage.toPeak': 'Skala: bis zur stärksten Stunde',
  'usage.limitLine': 'Grenze: {count} pro Stunde',
  'usage.limits':
    'Alle Schlüssel zusammen haben {count} Anfragen je voller Stunde (UTC) und {minute} je voller Minute.',
  'usage.limitAbove': 'Die Grenze liegt über dieser Skala.',
  'usage.summary':
    'Anfragen jeder Stunde: insgesamt {requests}, dazu {limited} über der Grenze von {count} pro Stunde. Die Zahlen stehen in der Tabelle darunter.',
  'usage.table': 'Stunden mit Anfragen als Tabelle',
  'usage.hour': 'Stunde',
  'usage.emptyTitle': 'Keine Anfragen in dieser Zeit',
  'usage.empty':
    'Rufen Sie die API mit einem Ihrer Schlüssel auf: Die Anfragen werden hier nach wenigen Sekunden gezählt.',
};

/** The currencies of most schools. The API takes every one. */
const BY_ZONE: Readonly<Record<string, string>> = {
  'America/Argentina': 'ARS',
  'America/Bogota': 'COP',
  'America/Edmonton': 'CAD',
  'America/Halifax': 'CAD',
  'America/Lima': 'PEN',
  'America/Mexico_City': 'MXN',
  'America/Montreal': 'CAD',
  'America/Santiago': 'CLP',
  'America/Sao_Paulo': 'BRL',
  'America/Toronto': 'CAD',
  'America/Vancouver': 'CAD',
  'America/Winnipeg': 'CAD',
  'Africa/Johannesburg': 'ZAR',
  'Asia/Bangkok': 'THB',
  'Asia/Calcutta': 'INR',
  'Asia/Dubai': 'AED',
  'Asia/Hong_Kong': 'HKD',
  'Asia/Jakarta': 'IDR',
  'Asia/Jerusalem': 'ILS',
  'Asia/Kolkata': 'INR',
  'Asia/Kuala_Lumpur': 'MYR',
  'Asia/Manila': 'PHP',
  'Asia/Seoul': 'KRW',
  'Asia/Shanghai': 'CNY',
  'Asia/Singapore': 'SGD',
  'Asia/Taipei': 'TWD',
  'Asia/Tokyo': 'JPY',
  'Europe/Bucharest': 'RON',
  'Europe/Budapest': 'HUF',
  'Europe/Copenhagen': 'DKK',
  'Europe/Istanbul': 'TRY',
  'Europe/London': 'GBP',
  'Europe/Oslo': 'NOK',
  'Europe/Prague': 'CZK',
  'Europe/Stockholm': 'SEK',
  'Europe/Warsaw': 'PLN',
  'Europe/Zurich': 'CHF',
  'Pacific/Auckland': 'NZD',
};

const BY_AREA: Readonly<Record<string, string>> = { Australia: 'AUD', Europe: 'EUR' };
const ELSEWHERE = 'USD';

/** The currencies among which a new account chooses. */
export const CURRENCIES: readonly string[] = [
  ...new Set([ELSEWHERE, ...Object.values(BY_AREA), ...Object.values(BY_ZONE)]),
].toSorted();

/** The currency that is probably used in a time zone. */
export function currencyIn(timeZone: string): string {
  const [area = '', place = ''] = timeZone.split('/');
  return BY_ZONE[`${area}/${place}`] ?? BY_AREA[area] ?? ELSEWHERE;
}

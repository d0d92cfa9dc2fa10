import type { usage as english } from '../en/usage.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the page of the usage. */
export const usage: SameTexts<typeof english> = {
  'usage.title': 'Uso',
  'usage.lead':
    'Cuántas solicitudes hicieron sus claves de API en cada hora, frente a los límites de este entorno. Los usuarios de este panel tienen un límite propio y no se cuentan.',
  'usage.range': 'Periodo',
  'usage.day': 'Últimas 24 horas',
  'usage.week': 'Últimos 7 días',
  'usage.key': 'Clave de API',
  'usage.allKeys': 'Todas las claves de API',
  'usage.thisHour': 'Esta hora',
  'usage.of': '{count} de {limit}',
  'usage.requests': 'Solicitudes',
  'usage.succeeded': 'Correctas',
  'usage.client_errors': 'Rechazadas (4xx)',
  'usage.server_errors': 'Fallidas (5xx)',
  'usage.limited': 'Por encima del límite (429)',
  'usage.none': 'Sin solicitudes',
  'usage.scale': 'Escala',
  'usage.toLimit': 'Escala: hasta el límite',
  'usage.toPeak': 'Escala: hasta la hora con más',
  'usage.limitLine': 'Límite: {count} por hora',
  'usage.limits':
    'Todas las claves comparten {count} solicitudes por hora de reloj (UTC) y {minute} por minuto de reloj.',
  'usage.limitAbove': 'El límite está por encima de esta escala.',
  'usage.summary':
    'Solicitudes de cada hora: {requests} en total y {limited} por encima del límite de {count} por hora. La tabla de abajo contiene las cifras.',
  'usage.table': 'Horas con solicitudes, en una tabla',
  'usage.hour': 'Hora',
  'usage.emptyTitle': 'Sin solicitudes en este periodo',
  'usage.empty': 'Llame a la API con una de sus claves y las solicitudes se contarán aquí en unos segundos.',
};

import type { requests as english } from '../en/requests.ts';
import type { SameTexts } from '../same-texts.ts';

/** Texts of the pages of requests. */
export const requests: SameTexts<typeof english> = {
  'requests.title': 'Solicitudes',
  'requests.lead': 'Lo que han solicitado sus claves y los usuarios de este panel en los últimos siete días.',
  'requests.emptyTitle': 'Aún no hay solicitudes',
  'requests.empty': 'Llame a la API con una de sus claves y las solicitudes aparecerán aquí en unos segundos.',
  'requests.noneFound': 'Ninguna solicitud coincide',
  'requests.clear': 'Quitar filtros',
  'requests.all': 'Todas',
  'requests.status': 'Estado',
  'requests.status.2xx': 'Correctas (2xx)',
  'requests.status.4xx': 'Rechazadas (4xx)',
  'requests.status.5xx': 'Fallidas (5xx)',
  'requests.method': 'Método',
  'requests.allKeys': 'Todas las claves de API',
  'requests.users': 'Usuarios del panel',
  'requests.path': 'La ruta empieza por',
  'requests.id': 'ID de la solicitud',
  'requests.request': 'Solicitud',
  'requests.who': 'Hecha por',
  'requests.took': 'Duración',
  'requests.at': 'Cuándo',
  'requests.network': 'Red',
  'requests.unknownPath': '(ruta desconocida)',
  'requests.back': 'Todas las solicitudes',
  'requests.query': 'Parámetros',
  'requests.noQuery': 'La solicitud no tenía parámetros.',
  'requests.noBodies': 'No se guardan cuerpos ni cabeceras. Los valores que pueden nombrar a una persona se ocultan.',
  'requests.events': 'Eventos de esta solicitud',
  'requests.noEvents': 'Esta solicitud no causó eventos.',
};

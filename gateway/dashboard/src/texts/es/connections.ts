import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familias',
  'connections.title.family': 'Escuelas',
  'connections.lead.school':
    'Las familias cuyos alumnos puede ver y reservar: desde su primera reserva, mientras dure la conexión.',
  'connections.lead.family': 'Las escuelas que pueden ver y reservar a sus hijos.',
  'connections.emptyTitle.school': 'No hay familias aquí',
  'connections.emptyTitle.family': 'No hay escuelas aquí',
  'connections.empty.school': 'Una familia aparece aquí con su primera reserva.',
  'connections.empty.family': 'Una escuela aparece aquí con su primera reserva.',
  'connections.school': 'Escuela',
  'connections.origin': 'Creada por',
  'connections.origin.booking': 'Una reserva',
  'connections.origin.family': 'La familia',
  'connections.origin.school': 'La escuela',
  'connections.externalId': 'Su número',
  'connections.active': 'Conectada',
  'connections.ended': 'Terminada',
  'connections.endedBy.family': 'Terminada por la familia',
  'connections.endedBy.school': 'Terminada por la escuela',
  'connections.endedBy.time': 'Terminada tras un año',
  'connections.end': 'Terminar la conexión',
  'connections.endNamed': 'Terminar la conexión: {name}',
  'connections.endTitle': 'Terminar esta conexión',
  'connections.endText.school':
    'Se cancelan todas las próximas clases, como por usted, y ya no podrá ver a estos alumnos. Lo pendiente sigue pendiente. La familia no podrá reservar hasta que usted la reabra.',
  'connections.endText.family':
    'Se cancelan todas las próximas clases con esta escuela, como por usted, con los cargos habituales, y ya no podrá ver a sus hijos. Lo pendiente sigue pendiente.',
  'connections.reopen': 'Reabrir',
  'connections.reopenNamed': 'Reabrir la conexión: {name}',
  'connections.children': 'Niños …',
  'connections.childrenNamed': 'Elegir los niños: {name}',
  'connections.childrenTitle': 'Niños que la escuela puede ver y reservar',
  'connections.childrenText': 'Se cancelan las próximas clases del niño que se quite.',
};

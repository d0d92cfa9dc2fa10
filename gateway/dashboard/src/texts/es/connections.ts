import type { connections as english } from '../en/connections.ts';
import type { SameTexts } from '../same-texts.ts';

export const connections: SameTexts<typeof english> = {
  'connections.title.school': 'Familias',
  'connections.title.family': 'Escuelas',
  'connections.lead.school':
    'Las familias cuyos alumnos puede ver y para los que puede reservar, y antiguas familias que aún le deben.',
  'connections.lead.family':
    'Las escuelas que pueden ver a sus hijos y reservar clases para ellos, y las que antes podían.',
  'connections.emptyTitle.school': 'No hay familias aquí',
  'connections.emptyTitle.family': 'No hay escuelas aquí',
  'connections.empty.school': 'Una familia aparece aquí cuando reserva o se conecta, o cuando usted la crea.',
  'connections.empty.family':
    'Una escuela aparece aquí cuando usted reserva o se conecta, o cuando ella crea su cuenta.',
  'connections.school': 'Escuela',
  'connections.origin': 'Creada por',
  'connections.origin.booking': 'Una reserva',
  'connections.origin.family': 'La familia',
  'connections.origin.school': 'La escuela',
  'connections.externalId': 'Su número',
  'connections.active': 'Conectada',
  'connections.endedBy.family': 'Terminada por la familia',
  'connections.endedBy.school': 'Terminada por la escuela',
  'connections.endedBy.time': 'Terminada tras un año',
  'connections.end': 'Terminar la conexión',
  'connections.endNamed': 'Terminar la conexión: {name}',
  'connections.endText.school':
    'Se cancelan todas las próximas clases, como si usted las cancelara, y ya no podrá ver a estos alumnos. Lo pendiente sigue pendiente. La familia no podrá reservar hasta que usted la reabra.',
  'connections.endText.family':
    'Se cancelan todas las próximas clases con esta escuela, como si usted las cancelara, con los cargos habituales. La escuela ya no podrá ver a sus hijos. Lo pendiente sigue pendiente.',
  'connections.endText.unclaimed':
    'Esta familia no ha reclamado su cuenta. Al terminar la conexión se cancelan sus próximas clases y se borran la cuenta y sus alumnos. No se puede deshacer.',
  'connections.reopen': 'Reabrir',
  'connections.reopenNamed': 'Reabrir la conexión: {name}',
  'connections.children': 'Niños …',
  'connections.childrenNamed': 'Elegir los niños: {name}',
  'connections.childrenTitle': 'Niños que la escuela puede ver y para los que puede reservar clases',
  'connections.childrenText': 'Se cancelan las próximas clases del niño que quite, con los cargos habituales.',
  'families.family': 'Familia',
  'families.erased': 'Borrada',
  'families.unclaimed': 'Sin reclamar',
  'families.overdue': '{amount} vencido',
  'families.search': 'Nombre o correo',
  'families.view.all': 'Todas las familias',
  'families.view.due': 'Las que deben',
  'families.view.ended': 'Conexiones terminadas',
};

import type { Texts } from './en.js';

/** The texts of messages in Spanish. */
export const es: Texts = {
  lesson: 'Clase de natación con {instructor}',
  lessonPlain: 'Clase de natación',
  lessonLine: '{date}, {start} – {end} ({zone})',
  lessonOf: '{line}: {members} con {instructor}',
  lessonOfInstructor: '{line}: con {instructor}',
  formerly: 'Antes: {line}',
  booked_subject: 'Reserva: clase de natación el {date}',
  booked_subject_many: 'Reserva: {count} clases de natación',
  booked_text: 'Estas clases en {school} están reservadas:',
  rescheduled_subject: 'Cambio de hora: clase de natación el {date}',
  rescheduled_subject_many: 'Cambio de hora: {count} clases de natación',
  rescheduled_text: 'Esta clase en {school} tiene una nueva hora:',
  place_home: 'En casa',
  place_open_water: 'Aguas abiertas',
  newInstructor: 'otro instructor',
  newPlace: 'otro lugar',
  changed_subject: 'Cambio: clase de natación el {date}',
  changed_text: 'Esta clase en {school} ha cambiado:',
  handed_over_subject: 'Traspaso: clase de natación el {date}',
  taken_over_text: 'Usted se hace cargo de esta clase en {school}:',
  handed_over_text: 'Otro instructor se hace cargo de esta clase en {school}:',
  cancelled_subject: 'Cancelación: clase de natación el {date}',
  cancelled_subject_many: 'Cancelación: {count} clases de natación',
  cancelled_text: 'Estas clases en {school} no tendrán lugar:',
  reminder_subject: 'Recordatorio: clase de natación el {date}',
  reminder_subject_many: 'Recordatorio: {count} clases de natación',
  reminder_text: 'Se acercan estas clases en {school}:',
  waitlist_offer_subject: 'Ha quedado libre una hora el {date}',
  waitlist_offer_text:
    'En {school} ha quedado libre una hora que usted espera. Está reservada para usted hasta el {until}:',
  waitlist_offer_action: 'Reservar esta hora',
  waitlist_place_subject: 'Ha quedado libre una plaza el {date}',
  waitlist_place_text:
    'En {school} ha quedado libre una plaza en una clase que usted espera. Está reservada para usted hasta el {until}:',
  waitlist_place_action: 'Reservar esta plaza',
  waitlist_class_subject: 'Ha quedado libre una plaza en un curso desde el {date}',
  waitlist_class_text:
    'En {school} ha quedado libre una plaza en todas las clases de un curso que usted espera. Está reservada para usted hasta el {until}. Esta es la primera clase:',
  waitlist_class_action: 'Inscribirse',
  receipt_subject: 'Recibo: {amount}',
  receipt_text: 'Hemos recibido su pago de {amount}. Reserva: {booking}. Pago: {payment}.',
  refund_subject: 'Reembolso: {amount}',
  refund_text: 'Hemos reembolsado {amount}. Reserva: {booking}. Pago: {payment}.',
  endpoint_disabled_subject: 'Se ha desactivado un endpoint de webhooks',
  endpoint_disabled_text_failing:
    'Desde hace cinco días ningún webhook a {host} ha tenido éxito, por lo que se ha desactivado el endpoint {endpoint}. Los eventos se conservan 90 días: actívelo de nuevo y reenvíe lo que falte.',
  endpoint_disabled_text_gone:
    '{host} ha respondido 410 Gone, por lo que se ha desactivado el endpoint de webhooks {endpoint}. Los eventos se conservan 90 días: actívelo de nuevo y reenvíe lo que falte.',
  email_confirmation_subject: 'Confirme su dirección de correo',
  email_confirmation_text:
    'Alguien ha indicado esta dirección para una cuenta. Confírmela y los mensajes se enviarán aquí. El enlace es válido durante tres días. Si no ha sido usted, ignore este mensaje.',
  instructor_confirmation_text:
    'La escuela «{school}» ha indicado esta dirección para uno de sus instructores. Confírmela y recibirá aquí los mensajes sobre clases reservadas, cambiadas o canceladas. El enlace es válido durante tres días. Si no da clases allí, ignore este mensaje.',
  email_confirmation_action: 'Confirmar la dirección',
  user_sign_up_subject: 'Confirme su dirección de correo',
  user_sign_up_text:
    'Alguien se ha registrado con esta dirección para la cuenta «{account}». Si ha sido usted, confirme la dirección y elija una contraseña: la cuenta estará lista, la real y una de pruebas para probarlo todo. El enlace es válido durante tres días. Si no se ha registrado, ignore este mensaje.',
  user_sign_up_action: 'Confirmar e iniciar sesión',
  user_known_address_subject: 'Ya tiene un usuario',
  user_known_address_text:
    'Alguien quiere registrarse con esta dirección, que ya tiene un usuario. Si ha sido usted, inicie sesión; allí también puede elegir otra contraseña. Si no, ignore este mensaje.',
  user_known_address_action: 'Iniciar sesión',
  user_password_reset_subject: 'Elija otra contraseña',
  user_password_reset_text:
    'Alguien ha solicitado otra contraseña para esta dirección. El enlace es válido durante una hora y una sola vez; cierra todas las sesiones. Si no ha sido usted, ignore este mensaje: su contraseña no cambia.',
  user_password_reset_action: 'Elegir la contraseña',
  user_sign_in_subject: 'Iniciar sesión',
  user_sign_in_text:
    'Alguien ha pedido un enlace que inicia sesión con esta dirección. Es válido durante una hora y una sola vez, en cualquier dispositivo. Si no ha sido usted, ignore este mensaje y no lo reenvíe.',
  user_sign_in_action: 'Iniciar sesión',
  user_invitation_subject: 'Le invitan a una cuenta',
  user_invitation_text:
    'Le invitan a usar el panel de la cuenta «{account}». El enlace es válido durante siete días. Si no conoce esta cuenta, ignore este mensaje.',
  user_invitation_action: 'Aceptar la invitación',
  user_claim_subject: 'Hágase cargo de la cuenta de su familia',
  user_claim_text:
    'La escuela de natación «{account}» ha creado una cuenta para su familia. Abra el enlace para hacerse cargo de ella: desde entonces es suya y la escuela ve lo que comparte con ella. El enlace es válido durante siete días. Si no conoce esta escuela, ignore este mensaje.',
  user_claim_action: 'Hacerse cargo de la cuenta',
  user_password_changed_subject: 'Se ha cambiado su contraseña',
  user_password_changed_text:
    'Se ha cambiado la contraseña de su usuario del panel y sus demás sesiones han terminado. Si no ha sido usted, establezca ahora otra contraseña y avise a un propietario de la cuenta.',
  user_password_changed_action: 'Establecer otra contraseña',
  user_second_factor_added_subject: 'Se ha añadido una aplicación de autenticación',
  user_second_factor_added_text:
    'Para entrar en el panel ahora hace falta también un código de una aplicación de autenticación. Si no ha sido usted, establezca ahora otra contraseña y avise a un propietario de la cuenta.',
  user_second_factor_added_action: 'Establecer otra contraseña',
  user_second_factor_removed_subject: 'Se ha quitado un segundo factor',
  user_second_factor_removed_text:
    'Se ha quitado una aplicación de autenticación o una llave de acceso de su usuario del panel. Si no ha sido usted, establezca ahora otra contraseña y avise a un propietario de la cuenta.',
  user_second_factor_removed_action: 'Establecer otra contraseña',
  user_passkey_added_subject: 'Se ha añadido una llave de acceso',
  user_passkey_added_text:
    'Se ha añadido una llave de acceso a su usuario del panel. Si no ha sido usted, establezca ahora otra contraseña y avise a un propietario de la cuenta.',
  user_passkey_added_action: 'Establecer otra contraseña',
  user_wrong_codes_subject: 'Códigos incorrectos',
  user_wrong_codes_text:
    'Alguien ha introducido cinco códigos incorrectos o más: después de su contraseña, o en un navegador con su sesión iniciada. Si no ha sido usted, establezca otra contraseña ahora y avise a un propietario de la cuenta.',
  user_wrong_codes_action: 'Establecer otra contraseña',
  unsubscribe: 'No recibir más mensajes de este tipo',
};

import type { Texts } from './en.js';

/** The texts of messages in French. */
export const fr: Texts = {
  lesson: 'Cours de natation avec {instructor}',
  lessonPlain: 'Cours de natation',
  lessonLine: '{date}, {start} – {end} ({zone})',
  lessonOf: '{line} : {members} avec {instructor}',
  lessonOfInstructor: '{line} : avec {instructor}',
  formerly: 'Auparavant : {line}',
  booked_subject: 'Réservé : cours de natation du {date}',
  booked_subject_many: 'Réservé : {count} cours de natation',
  booked_text: 'Ces cours chez {school} sont réservés :',
  rescheduled_subject: 'Déplacé : cours de natation du {date}',
  rescheduled_subject_many: 'Déplacé : {count} cours de natation',
  rescheduled_text: 'Ce cours chez {school} a un nouvel horaire :',
  cancelled_subject: 'Annulé : cours de natation du {date}',
  cancelled_subject_many: 'Annulé : {count} cours de natation',
  cancelled_text: 'Ces cours chez {school} n’auront pas lieu :',
  reminder_subject: 'Rappel : cours de natation du {date}',
  reminder_subject_many: 'Rappel : {count} cours de natation',
  reminder_text: 'Ces cours chez {school} approchent :',
  waitlist_offer_subject: 'Un horaire s’est libéré le {date}',
  waitlist_offer_text:
    'Chez {school}, un horaire que vous attendez s’est libéré. Il vous est réservé jusqu’au {until} :',
  waitlist_offer_action: 'Réserver cet horaire',
  receipt_subject: 'Reçu : {amount}',
  receipt_text: 'Nous avons reçu votre paiement de {amount}. Réservation : {booking}. Paiement : {payment}.',
  refund_subject: 'Remboursement : {amount}',
  refund_text: 'Nous avons remboursé {amount}. Réservation : {booking}. Paiement : {payment}.',
  endpoint_disabled_subject: 'Un point de réception de webhooks a été désactivé',
  endpoint_disabled_text_failing:
    'Depuis cinq jours, aucun webhook vers {host} n’a abouti : le point de réception {endpoint} a été désactivé. Les événements sont conservés 90 jours : réactivez-le, puis renvoyez ce qui manque.',
  endpoint_disabled_text_gone:
    '{host} a répondu 410 Gone : le point de réception {endpoint} a été désactivé. Les événements sont conservés 90 jours : réactivez-le, puis renvoyez ce qui manque.',
  email_confirmation_subject: 'Confirmez votre adresse e-mail',
  email_confirmation_text:
    'Quelqu’un a indiqué cette adresse pour un compte. Confirmez-la et les messages y seront envoyés. Le lien est valable trois jours. Si ce n’était pas vous, ignorez ce message.',
  email_confirmation_action: 'Confirmer l’adresse',
  unsubscribe: 'Ne plus recevoir de messages de ce type',
};

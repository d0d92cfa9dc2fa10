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
  place_home: 'À domicile',
  place_open_water: 'En eau libre',
  newInstructor: 'autre moniteur',
  newPlace: 'autre lieu',
  changed_subject: 'Modifié : cours de natation du {date}',
  changed_text: 'Ce cours chez {school} a changé :',
  handed_over_subject: 'Transmis : cours de natation du {date}',
  taken_over_text: 'Vous reprenez ce cours chez {school} :',
  handed_over_text: 'Un autre moniteur reprend ce cours chez {school} :',
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
  waitlist_place_subject: 'Une place s’est libérée le {date}',
  waitlist_place_text:
    'Chez {school}, une place s’est libérée dans un cours que vous attendez. Elle vous est réservée jusqu’au {until} :',
  waitlist_place_action: 'Réserver cette place',
  waitlist_class_subject: 'Une place dans un cours s’est libérée à partir du {date}',
  waitlist_class_text:
    'Chez {school}, une place s’est libérée dans toutes les leçons d’un cours que vous attendez. Elle vous est réservée jusqu’au {until}. Voici la première leçon :',
  waitlist_class_action: 'S’inscrire',
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
  instructor_confirmation_text:
    'L’école « {school} » a indiqué cette adresse pour l’un de ses moniteurs. Confirmez-la et les messages sur les cours réservés, déplacés ou annulés arriveront ici. Le lien est valable trois jours. Si vous n’y enseignez pas, ignorez ce message.',
  email_confirmation_action: 'Confirmer l’adresse',
  user_sign_up_subject: 'Confirmez votre adresse e-mail',
  user_sign_up_text:
    'Quelqu’un s’est inscrit avec cette adresse pour le compte « {account} ». Si c’est vous, confirmez l’adresse et choisissez un mot de passe : le compte est alors prêt, le compte réel et un bac à sable pour tout essayer. Le lien est valable trois jours. Si vous ne vous êtes pas inscrit, ignorez ce message.',
  user_sign_up_action: 'Confirmer et se connecter',
  user_known_address_subject: 'Vous avez déjà un utilisateur',
  user_known_address_text:
    'Quelqu’un veut s’inscrire avec cette adresse, qui a déjà un utilisateur. Si c’était vous, connectez-vous ; vous pouvez aussi y choisir un autre mot de passe. Sinon, ignorez ce message.',
  user_known_address_action: 'Se connecter',
  user_password_reset_subject: 'Choisissez un autre mot de passe',
  user_password_reset_text:
    'Quelqu’un a demandé un autre mot de passe pour cette adresse. Le lien est valable une heure et une seule fois ; il met fin à toutes les sessions. Si ce n’était pas vous, ignorez ce message : votre mot de passe ne change pas.',
  user_password_reset_action: 'Choisir le mot de passe',
  user_sign_in_subject: 'Se connecter',
  user_sign_in_text:
    'Quelqu’un a demandé un lien qui connecte avec cette adresse. Il est valable une heure et une seule fois, sur tout appareil. Si ce n’est pas vous, ignorez ce message et ne le transférez pas.',
  user_sign_in_action: 'Se connecter',
  user_invitation_subject: 'Vous êtes invité à un compte',
  user_invitation_text:
    'Vous êtes invité à utiliser le tableau de bord du compte « {account} ». Le lien est valable sept jours. Si vous ne connaissez pas ce compte, ignorez ce message.',
  user_invitation_action: 'Accepter l’invitation',
  user_claim_subject: 'Reprenez le compte de votre famille',
  user_claim_text:
    'L’école de natation « {account} » a créé un compte pour votre famille. Ouvrez le lien pour le reprendre : il est alors à vous, et l’école voit ce que vous partagez avec elle. Le lien est valable sept jours. Si vous ne connaissez pas cette école, ignorez ce message.',
  user_claim_action: 'Reprendre le compte',
  user_password_changed_subject: 'Votre mot de passe a été modifié',
  user_password_changed_text:
    'Le mot de passe de votre accès au tableau de bord a été modifié et vos autres sessions sont terminées. Si ce n’était pas vous, choisissez maintenant un autre mot de passe et prévenez un propriétaire du compte.',
  user_password_changed_action: 'Choisir un autre mot de passe',
  user_second_factor_added_subject: 'Une application d’authentification a été ajoutée',
  user_second_factor_added_text:
    'La connexion au tableau de bord demande maintenant aussi un code d’une application d’authentification. Si ce n’était pas vous, choisissez maintenant un autre mot de passe et prévenez un propriétaire du compte.',
  user_second_factor_added_action: 'Choisir un autre mot de passe',
  user_second_factor_removed_subject: 'Un second facteur a été retiré',
  user_second_factor_removed_text:
    'Une application d’authentification ou une clé d’accès de votre accès au tableau de bord a été retirée. Si ce n’était pas vous, choisissez maintenant un autre mot de passe et prévenez un propriétaire du compte.',
  user_second_factor_removed_action: 'Choisir un autre mot de passe',
  user_passkey_added_subject: 'Une clé d’accès a été ajoutée',
  user_passkey_added_text:
    'Une clé d’accès a été ajoutée à votre accès au tableau de bord. Si ce n’était pas vous, choisissez maintenant un autre mot de passe et prévenez un propriétaire du compte.',
  user_passkey_added_action: 'Choisir un autre mot de passe',
  user_wrong_codes_subject: 'Codes incorrects',
  user_wrong_codes_text:
    'Quelqu’un a saisi cinq codes incorrects ou plus : après votre mot de passe, ou dans un navigateur où vous êtes connecté. Si ce n’est pas vous, définissez un autre mot de passe maintenant et prévenez un propriétaire du compte.',
  user_wrong_codes_action: 'Définir un autre mot de passe',
  unsubscribe: 'Ne plus recevoir de messages de ce type',
};

import type { Texts } from './en.js';

/** The texts of messages in German. */
export const de: Texts = {
  lesson: 'Schwimmstunde mit {instructor}',
  lessonPlain: 'Schwimmstunde',
  lessonLine: '{date}, {start} – {end} ({zone})',
  lessonOf: '{line}: {members} mit {instructor}',
  lessonOfInstructor: '{line}: mit {instructor}',
  formerly: 'Bisher: {line}',
  booked_subject: 'Gebucht: Schwimmstunde am {date}',
  booked_subject_many: 'Gebucht: {count} Schwimmstunden',
  booked_text: 'Diese Schwimmstunden bei {school} sind gebucht:',
  rescheduled_subject: 'Verlegt: Schwimmstunde am {date}',
  rescheduled_subject_many: 'Verlegt: {count} Schwimmstunden',
  rescheduled_text: 'Diese Schwimmstunde bei {school} hat einen neuen Termin:',
  place_home: 'Zu Hause',
  place_open_water: 'Freiwasser',
  newInstructor: 'anderer Lehrer',
  newPlace: 'anderer Ort',
  changed_subject: 'Geändert: Schwimmstunde am {date}',
  changed_text: 'Diese Schwimmstunde bei {school} hat sich geändert:',
  handed_over_subject: 'Übergeben: Schwimmstunde am {date}',
  taken_over_text: 'Sie übernehmen diese Schwimmstunde bei {school}:',
  handed_over_text: 'Diese Schwimmstunde bei {school} übernimmt ein anderer Lehrer:',
  cancelled_subject: 'Abgesagt: Schwimmstunde am {date}',
  cancelled_subject_many: 'Abgesagt: {count} Schwimmstunden',
  cancelled_text: 'Diese Schwimmstunden bei {school} finden nicht statt:',
  reminder_subject: 'Erinnerung: Schwimmstunde am {date}',
  reminder_subject_many: 'Erinnerung: {count} Schwimmstunden',
  reminder_text: 'Diese Schwimmstunden bei {school} stehen bevor:',
  waitlist_offer_subject: 'Ein Termin am {date} ist frei geworden',
  waitlist_offer_text:
    'Bei {school} ist ein Termin frei geworden, auf den Sie warten. Er ist bis {until} für Sie reserviert:',
  waitlist_offer_action: 'Diesen Termin buchen',
  waitlist_place_subject: 'Ein Platz am {date} ist frei geworden',
  waitlist_place_text:
    'Bei {school} ist in einer Stunde, auf die Sie warten, ein Platz frei geworden. Er ist bis {until} für Sie reserviert:',
  waitlist_place_action: 'Diesen Platz buchen',
  waitlist_class_subject: 'Ein Kursplatz ab {date} ist frei geworden',
  waitlist_class_text:
    'Bei {school} ist in allen Stunden eines Kurses, auf den Sie warten, ein Platz frei geworden. Er ist bis {until} für Sie reserviert. Dies ist die erste Stunde:',
  waitlist_class_action: 'Anmelden',
  receipt_subject: 'Quittung: {amount}',
  receipt_text: 'Wir haben Ihre Zahlung über {amount} erhalten. Buchung: {booking}. Zahlung: {payment}.',
  refund_subject: 'Erstattung: {amount}',
  refund_text: 'Wir haben {amount} erstattet. Buchung: {booking}. Zahlung: {payment}.',
  endpoint_disabled_subject: 'Ein Webhook-Endpunkt wurde abgeschaltet',
  endpoint_disabled_text_failing:
    'Seit fünf Tagen war kein Webhook an {host} erfolgreich, daher wurde der Endpunkt {endpoint} abgeschaltet. Ereignisse werden 90 Tage aufbewahrt: Schalten Sie ihn wieder ein, und lassen Sie nachsenden, was fehlt.',
  endpoint_disabled_text_gone:
    '{host} hat mit 410 Gone geantwortet, daher wurde der Webhook-Endpunkt {endpoint} abgeschaltet. Ereignisse werden 90 Tage aufbewahrt: Schalten Sie ihn wieder ein, und lassen Sie nachsenden, was fehlt.',
  email_confirmation_subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  email_confirmation_text:
    'Diese Adresse wurde für ein Konto eingetragen. Bestätigen Sie sie, dann gehen Nachrichten hierher. Der Link gilt drei Tage. Waren Sie es nicht, so ist nichts zu tun.',
  instructor_confirmation_text:
    'Die Schule „{school}“ hat diese Adresse für eine ihrer Lehrkräfte eingetragen. Bestätigen Sie sie, dann gehen Nachrichten über gebuchte, verlegte und abgesagte Stunden hierher. Der Link gilt drei Tage. Wenn Sie dort nicht unterrichten, ignorieren Sie diese Nachricht.',
  email_confirmation_action: 'Adresse bestätigen',
  user_sign_up_subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  user_sign_up_text:
    'Mit dieser Adresse wurde das Konto „{account}“ angelegt. Wenn Sie das waren, bestätigen Sie die Adresse und wählen ein Passwort: Dann ist das Konto bereit, für den Betrieb und mit einer Sandbox zum Ausprobieren. Der Link gilt drei Tage. Wenn Sie sich nicht angemeldet haben, ignorieren Sie diese Nachricht.',
  user_sign_up_action: 'Bestätigen und anmelden',
  user_known_address_subject: 'Sie haben bereits einen Zugang',
  user_known_address_text:
    'Jemand möchte sich mit dieser Adresse registrieren, zu der es schon einen Zugang gibt. Wenn Sie das waren, melden Sie sich an; dort können Sie auch ein anderes Passwort setzen. Sonst ignorieren Sie diese Nachricht.',
  user_known_address_action: 'Anmelden',
  user_password_reset_subject: 'Ein anderes Passwort setzen',
  user_password_reset_text:
    'Jemand hat für diese Adresse ein anderes Passwort angefordert. Der Link gilt eine Stunde und einmal; er beendet alle Sitzungen. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt.',
  user_password_reset_action: 'Passwort setzen',
  user_sign_in_subject: 'Anmelden',
  user_sign_in_text:
    'Jemand hat einen Link angefordert, der mit dieser Adresse anmeldet. Er gilt eine Stunde und einmal, auf jedem Gerät. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht, und leiten Sie sie nicht weiter.',
  user_sign_in_action: 'Anmelden',
  user_invitation_subject: 'Sie sind zu einem Konto eingeladen',
  user_invitation_text:
    'Sie sind eingeladen, das Dashboard des Kontos „{account}“ zu benutzen. Der Link gilt sieben Tage. Wenn Sie dieses Konto nicht kennen, ignorieren Sie diese Nachricht.',
  user_invitation_action: 'Einladung annehmen',
  user_claim_subject: 'Übernehmen Sie das Konto Ihrer Familie',
  user_claim_text:
    'Die Schwimmschule „{account}“ hat ein Konto für Ihre Familie angelegt. Öffnen Sie den Link, um es zu übernehmen: Dann gehört es Ihnen, und die Schule sieht, was Sie mit ihr teilen. Der Link gilt sieben Tage. Wenn Sie diese Schule nicht kennen, ignorieren Sie diese Nachricht.',
  user_claim_action: 'Konto übernehmen',
  user_password_changed_subject: 'Ihr Passwort wurde geändert',
  user_password_changed_text:
    'Das Passwort Ihres Zugangs zum Dashboard wurde geändert, und Ihre anderen Sitzungen sind beendet. Waren Sie es nicht, setzen Sie jetzt ein anderes Passwort, und sagen Sie einem Inhaber des Kontos Bescheid.',
  user_password_changed_action: 'Anderes Passwort setzen',
  user_second_factor_added_subject: 'Eine Authenticator-App wurde hinzugefügt',
  user_second_factor_added_text:
    'Die Anmeldung im Dashboard verlangt jetzt auch einen Code einer Authenticator-App. Waren Sie es nicht, setzen Sie jetzt ein anderes Passwort, und sagen Sie einem Inhaber des Kontos Bescheid.',
  user_second_factor_added_action: 'Anderes Passwort setzen',
  user_second_factor_removed_subject: 'Ein zweiter Faktor wurde entfernt',
  user_second_factor_removed_text:
    'Eine Authenticator-App oder ein Passkey Ihres Zugangs zum Dashboard wurde entfernt. Waren Sie es nicht, setzen Sie jetzt ein anderes Passwort, und sagen Sie einem Inhaber des Kontos Bescheid.',
  user_second_factor_removed_action: 'Anderes Passwort setzen',
  user_passkey_added_subject: 'Ein Passkey wurde hinzugefügt',
  user_passkey_added_text:
    'Ihrem Zugang zum Dashboard wurde ein Passkey hinzugefügt. Waren Sie es nicht, setzen Sie jetzt ein anderes Passwort, und sagen Sie einem Inhaber des Kontos Bescheid.',
  user_passkey_added_action: 'Anderes Passwort setzen',
  user_wrong_codes_subject: 'Falsche Codes',
  user_wrong_codes_text:
    'Jemand hat mindestens fünf falsche Codes eingegeben: nach Ihrem Passwort oder in einem Browser, in dem Sie angemeldet sind. Waren Sie es nicht, setzen Sie jetzt ein anderes Passwort, und sagen Sie einem Inhaber des Kontos Bescheid.',
  user_wrong_codes_action: 'Anderes Passwort setzen',
  unsubscribe: 'Nachrichten dieser Art abbestellen',
};

/** The texts of messages in English; the other languages have the same keys, and the same placeholders in each text. */
export const en = {
  lesson: 'Swimming lesson with {instructor}',
  lessonPlain: 'Swimming lesson',
  lessonLine: '{date}, {start} – {end} ({zone})',
  lessonOf: '{line}: {members} with {instructor}',
  lessonOfInstructor: '{line}: with {instructor}',
  formerly: 'Before: {line}',
  booked_subject: 'Booked: swimming lesson on {date}',
  booked_subject_many: 'Booked: {count} swimming lessons',
  booked_text: 'These lessons at {school} are booked:',
  rescheduled_subject: 'Moved: swimming lesson on {date}',
  rescheduled_subject_many: 'Moved: {count} swimming lessons',
  rescheduled_text: 'This lesson at {school} has a new time:',
  place_home: 'At home',
  place_open_water: 'Open water',
  newInstructor: 'new instructor',
  newPlace: 'new place',
  changed_subject: 'Changed: swimming lesson on {date}',
  changed_text: 'This lesson at {school} has changed:',
  handed_over_subject: 'Handed over: swimming lesson on {date}',
  taken_over_text: 'You take over this lesson at {school}:',
  handed_over_text: 'Another instructor takes over this lesson at {school}:',
  cancelled_subject: 'Cancelled: swimming lesson on {date}',
  cancelled_subject_many: 'Cancelled: {count} swimming lessons',
  cancelled_text: 'These lessons at {school} do not take place:',
  reminder_subject: 'Reminder: swimming lesson on {date}',
  reminder_subject_many: 'Reminder: {count} swimming lessons',
  reminder_text: 'These lessons at {school} are coming up:',
  waitlist_offer_subject: 'A time has become free on {date}',
  waitlist_offer_text: 'A time that you are waiting for at {school} has become free. It is held for you until {until}:',
  waitlist_offer_action: 'Book this time',
  waitlist_place_subject: 'A place has become free on {date}',
  waitlist_place_text:
    'A place in a lesson that you are waiting for at {school} has become free. It is held for you until {until}:',
  waitlist_place_action: 'Book this place',
  waitlist_class_subject: 'A place in a class from {date} on has become free',
  waitlist_class_text:
    'A place in all lessons of a class that you are waiting for at {school} has become free. It is held for you until {until}. This is the first lesson:',
  waitlist_class_action: 'Enroll',
  receipt_subject: 'Receipt: {amount}',
  receipt_text: 'We received your payment of {amount}. Booking: {booking}. Payment: {payment}.',
  refund_subject: 'Refund: {amount}',
  refund_text: 'We refunded {amount}. Booking: {booking}. Payment: {payment}.',
  endpoint_disabled_subject: 'A webhook endpoint was disabled',
  endpoint_disabled_text_failing:
    'No webhook to {host} has succeeded for five days, so the endpoint {endpoint} was disabled. Events are kept for 90 days: enable it again, then replay what it missed.',
  endpoint_disabled_text_gone:
    '{host} answered 410 Gone, so the webhook endpoint {endpoint} was disabled. Events are kept for 90 days: enable it again, then replay what it missed.',
  email_confirmation_subject: 'Confirm your e-mail address',
  email_confirmation_text:
    'Somebody entered this address for an account. Confirm it, and messages are sent here. The link is valid for three days. If it was not you, ignore this message.',
  instructor_confirmation_text:
    'The school “{school}” entered this address for one of its instructors. Confirm it, and messages about lessons that are booked, moved or cancelled are sent here. The link is valid for three days. If you do not teach there, ignore this message.',
  email_confirmation_action: 'Confirm the address',
  user_sign_up_subject: 'Confirm your e-mail address',
  user_sign_up_text:
    'Somebody signed up with this address, for the account “{account}”. If it was you, confirm the address and choose a password: then the account is ready, live and with a sandbox to try everything. The link is valid for three days. If you did not sign up, ignore this message.',
  user_sign_up_action: 'Confirm and sign in',
  user_known_address_subject: 'You already have a user',
  user_known_address_text:
    'Somebody wants to sign up with this address, which already has a user. If it was you, sign in; there you can also set another password. If not, ignore this message.',
  user_known_address_action: 'Sign in',
  user_password_reset_subject: 'Set another password',
  user_password_reset_text:
    'Somebody requested another password for this address. The link is valid for one hour, and once; it ends all sessions. If it was not you, ignore this message: your password stays.',
  user_password_reset_action: 'Set the password',
  user_sign_in_subject: 'Sign in',
  user_sign_in_text:
    'Somebody requested a link that signs in with this address. It is valid for one hour, and once, on any device. If it was not you, ignore this message, and forward it to nobody.',
  user_sign_in_action: 'Sign in',
  user_invitation_subject: 'You are invited to an account',
  user_invitation_text:
    'You are invited to use the dashboard of the account “{account}”. The link is valid for seven days. If you do not know this account, ignore this message.',
  user_invitation_action: 'Accept the invitation',
  user_claim_subject: 'Take over the account of your family',
  user_claim_text:
    'The swim school “{account}” has made an account for your family. Open the link to take it over: from then on it is yours, and the school sees what you share with it. The link is valid for seven days. If you do not know this school, ignore this message.',
  user_claim_action: 'Take over the account',
  user_password_changed_subject: 'Your password was changed',
  user_password_changed_text:
    'The password of your user of the dashboard was changed, and your other sessions have ended. If it was not you, set another password now, and tell an owner of the account.',
  user_password_changed_action: 'Set another password',
  user_second_factor_added_subject: 'An authenticator app was added',
  user_second_factor_added_text:
    'Signing in to the dashboard now needs a code of an authenticator app too. If it was not you, set another password now, and tell an owner of the account.',
  user_second_factor_added_action: 'Set another password',
  user_second_factor_removed_subject: 'A second factor was removed',
  user_second_factor_removed_text:
    'An authenticator app or a passkey of your user of the dashboard was removed. If it was not you, set another password now, and tell an owner of the account.',
  user_second_factor_removed_action: 'Set another password',
  user_passkey_added_subject: 'A passkey was added',
  user_passkey_added_text:
    'A passkey was added to your user of the dashboard. If it was not you, set another password now, and tell an owner of the account.',
  user_passkey_added_action: 'Set another password',
  user_wrong_codes_subject: 'Wrong codes',
  user_wrong_codes_text:
    'Somebody entered five wrong codes or more: after your password, or in a browser in which you are signed in. If it was not you, set another password now, and tell an owner of the account.',
  user_wrong_codes_action: 'Set another password',
  unsubscribe: 'Unsubscribe from messages of this kind',
} as const;

/** The texts of messages in one language, by key, with placeholders in braces. */
export type Texts = Readonly<Record<keyof typeof en, string>>;

/**
 * The seven public error codes, and every finer reason a service may return.
 * A reason is stable: clients branch on it, so it is never renamed and never reused with another meaning.
 */
export const ERROR_CODES = [
  'AUTHENTICATION_ERROR',
  'AUTHORIZATION_ERROR',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMIT_EXCEEDED',
  'SERVER_ERROR',
] as const;

/** One of the seven codes of the public error envelope. */
export type ErrorCode = (typeof ERROR_CODES)[number];

interface ReasonSpec<C extends ErrorCode = ErrorCode> {
  readonly code: C;
  readonly message: string;
}

const reasonsOf = <const C extends ErrorCode, const R extends string>(code: C, messages: Record<R, string>) =>
  Object.fromEntries(Object.entries(messages).map(([reason, message]) => [reason, { code, message }])) as Record<
    R,
    ReasonSpec<C>
  >;

/** reason → code and default public message. `details.reason` of every error is a key of this table. */
export const REASONS = {
  ...reasonsOf('AUTHENTICATION_ERROR', {
    missing_key: 'Send your API key as "Authorization: Bearer <API_KEY>".',
    malformed_key: 'The Authorization header is not "Bearer" followed by a well-formed API key.',
    unknown_key: 'This API key does not exist. Check that it was copied completely.',
    expired_key: 'This API key has expired. Use another key.',
    revoked_key: 'This API key has been revoked. Use another key.',
    address_not_allowed: 'This API key may not be used from this address. Change its ip_allowlist to add the address.',
    wrong_environment:
      'This API key belongs to the other environment. Use live keys for live data and test keys for the sandbox.',
    session_ended: 'You are signed out. Sign in again.',
    wrong_credentials: 'The e-mail address or the password is wrong.',
    wrong_code: 'The code is wrong, or was used before. Enter the current one.',
    wrong_passkey: 'The passkey could not be verified, or its request has expired. Try again.',
    sign_in_expired: 'This sign-in has expired. Begin again with your e-mail address and password.',
    second_factor_locked:
      'Too many wrong codes were entered for this user. Sign in on a device on which you have signed in before, or by a link to your e-mail address.',
  }),
  ...reasonsOf('AUTHORIZATION_ERROR', {
    missing_scope: 'This API key lacks the scope that the operation needs. Use a key that has it.',
    foreign_account:
      'This account is not the account of the API key. Use its own account, which GET /me names, or a key of the other one.',
    foreign_origin:
      'Web pages of other origins may not send this request. Send it from a server, without an Origin header.',
    sandbox_erased: 'The sandbox of this account was erased. Use the live environment.',
    csrf_rejected:
      'Requests with the cookie of the dashboard must come from its own pages: send "Swim-Dashboard: 1", and the Origin of the host that the request goes to.',
    missing_role: 'Your role does not allow this. Ask an owner of the account.',
    account_switched: 'You have switched to another account. Load the page again.',
    wrong_recipient: 'This link was sent to another e-mail address. Sign in with that address.',
    wrong_password: 'The password is wrong.',
    confirmation_required:
      'A cookie alone may not do this. Confirm that it is you by POST /dashboard/api/confirmation with your password, a code or a passkey; then send the request again within 10 minutes.',
    school_only: 'Only the school may do this. Use an API key of the school.',
  }),
  ...reasonsOf('VALIDATION_ERROR', {
    required: 'This field is required.',
    invalid_type: 'This field has the wrong type.',
    invalid_value: 'This value is not one of those allowed.',
    invalid_format: 'This value does not have the required format.',
    too_small: 'This value is too small.',
    too_large: 'This value is too large.',
    too_short: 'This value is too short.',
    too_long: 'This value is too long.',
    unknown_field: 'This field is unknown. Remove it.',
    read_only: 'This field is read-only. Leave it out.',
    empty_patch: 'Send at least one field to change.',
    duplicate_value: 'This value is given more than once. Send each value once.',
    duplicate_field: 'An object in the body has this field more than once. Send it once.',
    duplicate_parameter:
      'This query parameter is given more than once. Send it once; where it takes several values, separate them by commas.',
    invalid_json: 'The body is not valid JSON.',
    invalid_body: 'The body must be a JSON object.',
    too_deep: 'The body is nested too deeply. At most 32 levels are allowed.',
    forbidden_characters:
      'Text must not contain control characters or unpaired surrogates; names neither line breaks nor invisible marks of direction.',
    common_password: 'This password is one of the most common ones. Choose another, such as a sentence.',
    card_number: 'Never send card numbers: send the token that your payment processor gave you.',
    body_too_large: 'The body is larger than 256 KiB.',
    unsupported_media_type: 'Send the body with "Content-Type: application/json".',
    headers_too_large: 'The request headers are too large.',
    malformed_request: 'The request is not valid HTTP.',
    malformed_url: 'The URL is not valid.',
    invalid_id: 'This is not an identifier of the right kind.',
    invalid_date: 'This is not a real date.',
    offset_required: 'A timestamp needs its UTC offset, for instance "2027-03-01T16:00:00Z".',
    in_past: 'This time must be in the future.',
    too_far_ahead: 'Lessons can be at most 10 years ahead. Choose an earlier time.',
    not_in_past: 'This date must be in the past.',
    out_of_range: 'This value is outside the allowed range.',
    range_too_long: 'The range is longer than this operation allows. Request it in parts.',
    too_many_matches: 'More instructors match than one request can search. Narrow the search.',
    range_reversed: 'The end of the range must not be before its start.',
    lessons_of_several_schools: 'All lessons of a booking must be of one school.',
    overlapping_sessions: 'Sessions of one booking must not overlap each other.',
    not_found: 'This object does not exist, or this API key may not see it.',
    unknown_timezone: 'This is not an IANA time zone such as "Europe/Berlin".',
    mutually_exclusive: 'These parameters cannot be used together. Leave one out.',
    invalid_cursor:
      'cursor does not belong to this list with these filters. Send `next_cursor` unchanged, with the same filters.',
    invalid_idempotency_key: 'An Idempotency-Key has 1 to 255 printable ASCII characters.',
    idempotency_key_reused: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
    group_too_large: 'The instructor does not teach groups of this size.',
    hold_mismatch: 'Instructor, members and sessions must equal those of the hold.',
    inactive_instructor: 'The instructor takes no new sessions. Choose one whose `status` is active.',
    members_of_several_accounts: 'All members of a booking must belong to one account.',
    amount_exceeds_due: 'The amount is larger than the amount due for the booking.',
    currency_mismatch: 'The currency must be that of the booking.',
    not_representable:
      'Amounts in BHD, JOD, KWD, OMR and TND are multiples of 10, and in MGA of 100: processors take no other.',
    invalid_signature:
      'The Stripe-Signature header is not the signature of this body, or it is older than 300 seconds. Check the secret of the webhook.',
    credit_of_other_school:
      'This makeup credit is for lessons of another school. Use a credit of the school that you book.',
    amount_exceeds_refundable: 'The amount is larger than what can still be refunded.',
    invalid_payment_method:
      'The processor does not know this payment method. Send the token that it gave you for the card.',
    card_declined: 'The card was declined. Use another payment method.',
    authentication_required: 'The card needs its owner to authenticate the payment. Use another payment method.',
    invalid_phone:
      'A phone number must exist and be in international format with a leading +, for instance +14155552671.',
    incomplete_contact: 'An emergency contact needs name, phone and relationship.',
    policies_of_school_only: 'Only a school has policies. Leave them out, or use an API key of the school.',
    https_required: 'Webhooks of live data need a URL with https.',
    forbidden_target:
      'The URL must lead to a public address: private, loopback, link-local and reserved addresses are not allowed.',
    invalid_link: 'This link has expired, was used, or was replaced by a later one. Request another.',
    credentials_in_url: 'The URL must not contain a user or password. Verify the signature of each webhook instead.',
  }),
  ...reasonsOf('NOT_FOUND', {
    resource_not_found: 'This object does not exist, or this API key may not see it.',
    unknown_route: 'No operation has this path. Check the URL.',
    method_not_allowed: 'This path does not support this method. The Allow header lists those that it supports.',
  }),
  ...reasonsOf('CONFLICT', {
    account_closing:
      'This account is about to be erased and can only be read. Send POST /accounts/{account_id}/restore before you change anything.',
    instructor_busy: 'The instructor is busy at this time. Choose another time, such as one of `suggestions`.',
    lesson_full:
      'The lesson has no place for these members. Choose another lesson, such as one of `suggestions`, or wait for a place.',
    shared_lesson:
      'This lesson is shared with other families: only its school moves it. Send the `lesson_id` of another lesson to change to that one.',
    not_eligible:
      'A member does not fit the lesson. `rule` says whether its levels or its ages do not: choose another lesson.',
    member_busy: 'The member already has a session at this time. Choose another time, such as one of `suggestions`.',
    private_lesson:
      'A lesson that was made by sessions has the places, prices and levels of its sessions: only its time, its place and its instructor can change.',
    capacity_below_taken: 'More places of the lesson are taken. Choose a larger capacity, or cancel sessions first.',
    pool_full: 'All lanes of the pool are taken at this time. Choose another time, such as one of `suggestions`.',
    closed:
      'The school has closed this time. Choose another time, such as one of `suggestions`, or one from `closed_until` on.',
    outside_availability:
      'This time is outside the hours that the instructor offers. Choose another time, such as one of `suggestions`.',
    prepayment_required: 'This school requires prepayment: create a booking and pay for it instead.',
    not_started: 'The session has not started yet. Retry once it has.',
    already_started: 'The session has started: only the school can still move or cancel it.',
    invalid_state: 'The object is in a state that does not allow this. Read its `status`.',
    stale_version:
      'The object has changed since the version that you sent. Read it again, and send its current version.',
    idempotency_in_progress: 'A request with this Idempotency-Key is still running. Retry it in a moment.',
    class_open:
      'The days of the week, the time zone and the first date of a class are fixed once it was opened. Close it, and open another one.',
    class_full:
      'A lesson of the class has no place. Choose another class, such as one of `suggestions`, or send `on_conflict: skip` to take the others.',
    already_enrolled:
      'The member has a place in all of these lessons already. Read them with GET /lessons, or choose another class.',
    no_dates:
      'No date of the class can have a lesson: each is past, outside the published hours, or taken. Change its recurrence, its time or its instructor.',
    conflicting_lessons:
      'The substitute cannot take over every lesson. Choose another one, or send `on_conflict: skip` to leave out those in `skipped`.',
    conflicting_dates: 'Not every date is free. Change those in `conflicts`, which suggests free times for each.',
    change_in_progress: 'Another change of this object is in progress. Retry the request.',
    advance_in_progress:
      'An advance of the clock is in progress. Retry when GET /sandbox/clock says that it has ended.',
    reset_in_progress: 'A reset of the account is in progress. Retry when `resetting` of GET /sandbox/clock is false.',
    replay_in_progress: 'A replay to this endpoint is in progress. Retry when it has ended.',
    payment_disputed:
      'The owner of the card disputes this payment, or got its money back by a dispute: it cannot be refunded. Refund it once `dispute.status` is won.',
    no_consent:
      'The family has not consented to be charged for this booking, or its consent has ended. Ask it to set `payment_method_id` of the booking.',
    consent_exceeded:
      'This is more than the family has agreed to. Charge at most `allowed_cents`, which is left of its consent.',
    already_paid: 'The booking is already paid: nothing is due, so that no payment can be made.',
    credits_not_offered:
      'This school gave no makeup credits when this was booked. Cancel without `refund_as`, and the money is refunded.',
    too_many_attempts:
      'Twenty payments of this booking have failed within 24 hours. Retry once the oldest of them is more than 24 hours ago.',
    already_exists: 'This object already exists. Use the existing one.',
    user_exists: 'This e-mail address already has a user. Sign in with it, then open the link again.',
    connection_ended:
      'The connection of the account with the school has ended. Book anew; where the school has ended it, ask the school to reopen it.',
    last_owner: 'An account needs an owner. Make another user an owner first.',
    limit_reached: 'The limit for objects of this kind is reached. Remove one first.',
  }),
  ...reasonsOf('RATE_LIMIT_EXCEEDED', {
    hourly_limit: 'The limit of requests per hour is reached. Retry after the seconds in Retry-After.',
    burst_limit: 'The limit of requests per minute is reached. Retry after the seconds in Retry-After.',
    authentication_attempts:
      'Too many failed attempts to authenticate from this address. Retry after the seconds in Retry-After.',
    sign_in_attempts: 'Too many attempts. Retry after the seconds in Retry-After.',
  }),
  ...reasonsOf('SERVER_ERROR', {
    internal: 'Something failed on our side.',
    unavailable: 'A part of the service is unavailable. Retry the request.',
    overloaded: 'The service is busy. Retry the request.',
    deadline_exceeded:
      'The service did not answer in time, and the request may have taken effect. Retry it with the same Idempotency-Key.',
    busy_retry: 'Others are claiming this time right now. Retry the request.',
  }),
} as const satisfies Record<string, ReasonSpec>;

/** A stable snake_case reason, as found in `error.details.reason`. */
export type Reason = keyof typeof REASONS;

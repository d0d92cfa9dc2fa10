import { BOUND_NAMES, type Bounds } from './constraints.js';
import { type ErrorCode, REASONS, type Reason } from './errors.js';

type ValidationReason = {
  [R in Reason]: (typeof REASONS)[R]['code'] extends 'VALIDATION_ERROR' ? R : never;
}[Reason];

/**
 * What the field of a VALIDATION_ERROR has to be, by reason, as words that complete "must be". It is stated where neither the
 * schema nor the place that rejects the field says it more precisely.
 */
export const EXPECTED: Readonly<Record<ValidationReason, string>> = {
  required: 'sent',
  invalid_type: 'of the type that its documentation states',
  invalid_value: 'one of the values that its documentation lists',
  invalid_format: 'in the format that its documentation states',
  too_small: 'a larger number',
  too_large: 'a smaller number',
  too_short: 'longer',
  too_long: 'shorter',
  unknown_field: 'left out',
  read_only: 'left out, or as the object has it',
  empty_patch: 'an object with at least one field to change',
  duplicate_value: 'a list that has each value once',
  duplicate_field: 'sent once',
  duplicate_parameter: 'sent once',
  invalid_json: 'valid JSON in UTF-8',
  invalid_body: 'a JSON object',
  too_deep: 'nested at most 32 levels deep',
  forbidden_characters:
    'text without control characters and unpaired surrogates; a name also without line breaks and invisible marks of direction',
  common_password: 'a password that is not one of the most common ones',
  card_number: 'free of card numbers; a card is named by the token that your payment processor gave you',
  body_too_large: 'at most 256 KiB long',
  unsupported_media_type: 'application/json',
  headers_too_large: 'fewer or shorter',
  malformed_request: 'valid HTTP/1.1',
  malformed_url: 'valid, with percent-encoded UTF-8',
  invalid_id: 'an identifier of the right kind',
  invalid_date: 'a date that exists',
  offset_required: 'an instant with its UTC offset, such as 2027-03-01T16:00:00Z',
  in_past: 'a time in the future',
  too_far_ahead: 'a time within the next 10 years',
  not_in_past: 'a date before today',
  out_of_range: 'within the range that its documentation states',
  range_too_long: 'closer to the start of the range',
  too_many_matches: 'narrower, so that fewer instructors match',
  range_reversed: 'no earlier than the start of the range',
  lessons_of_several_schools: 'lessons of one school',
  overlapping_sessions: 'times of which each ends no later than the next begins',
  not_found: 'the id of an object that exists and that the key may see',
  unknown_timezone: 'the name of a time zone of the IANA database, such as Europe/Berlin',
  mutually_exclusive: 'left out, or sent without the other field',
  invalid_cursor: 'the next_cursor of the page before, unchanged, with the same filters',
  invalid_idempotency_key: '1 to 255 printable ASCII characters',
  idempotency_key_reused: 'a new key for a new request',
  group_too_large: 'as few members as the instructor teaches in one group',
  hold_mismatch: 'the id of a hold with the same instructor, members and sessions',
  inactive_instructor: 'the id of an instructor whose status is active',
  members_of_several_accounts: 'members of one account',
  amount_exceeds_due: 'at most the amount due for the booking',
  currency_mismatch: 'the currency of the booking',
  not_representable: 'a multiple of 10 in BHD, JOD, KWD, OMR and TND, and of 100 in MGA',
  invalid_signature: 'the signature of this body with the secret of the webhook, at most 300 seconds old',
  credit_of_other_school: 'a makeup credit for lessons of the school that is booked',
  amount_exceeds_refundable: 'at most what can still be refunded',
  invalid_payment_method: 'a token that your payment processor gave you for a card',
  card_declined: 'a payment method that is not declined',
  authentication_required: 'a payment method that needs no authentication by its owner',
  invalid_phone: 'a phone number that exists, in international format, such as +14155552671',
  incomplete_contact: 'sent along with name, phone and relationship',
  policies_of_school_only: 'left out: only a school has policies',
  https_required: 'a URL with https',
  forbidden_target: 'a URL of a public address',
  invalid_link: 'the token of the latest link, neither used nor expired',
  credentials_in_url: 'a URL without user and password',
};

/** The field of an error that concerns the body, or the patch, as a whole. */
export const WHOLE_BODY = 'body';

// A message may name `name` as part of another word: "names". Fields are dotted, and may have brackets.
const WORDS = /[\w[\]-]+(?:\.[\w[\]-]+)*/g;

/** A message that names the field it is about. */
export const namingField = (field: string, message: string): string =>
  field === WHOLE_BODY || message.match(WORDS)?.includes(field) ? message : `${field}: ${message}`;

/** One rejected field, with what would be right. `field` is a dotted path such as `sessions.0.date`, or `body`. */
export interface FieldError extends Bounds {
  field: string;
  reason: string;
  message: string;
}

/** The entry, which states what would be right: its own bounds, or what its reason expects. */
export function completed(entry: FieldError): FieldError {
  if (BOUND_NAMES.some((name) => entry[name] !== undefined) || !Object.hasOwn(EXPECTED, entry.reason)) return entry;
  return { ...entry, expected: EXPECTED[entry.reason as ValidationReason] };
}

/** `error.details` of the public envelope; validation problems name a field. */
export interface ErrorDetails {
  reason: string;
  field?: string;
  errors?: FieldError[];
  [more: string]: unknown;
}

/** What crosses the bus when an operation rejects or fails: the `error` of the public envelope. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

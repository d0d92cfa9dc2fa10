import { ApiError, ConnectionError } from '@swim/sdk';
import type { ReactNode } from 'react';
import type { TextKey } from '../texts/en.ts';
import { type Language, useLanguage } from '../texts/language.tsx';
import type { Rejection } from '../texts/reasons.ts';

interface NoticeProps {
  readonly kind?: 'info' | 'success' | 'warning' | 'danger';
  /** Whether the page scrolls to it as it appears: it answers a press that may have been far from it. */
  readonly comesIntoView?: boolean;
  readonly children: ReactNode;
}

const show = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: 'nearest' });

/** A message that belongs to the place where it stands. */
export function Notice({ kind = 'info', comesIntoView = false, children }: NoticeProps) {
  return (
    <div
      ref={comesIntoView ? show : undefined}
      className={`notice notice-${kind}`}
      role={kind === 'danger' ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

/** Names of the errors of `navigator.credentials`: the user cancelled, or the device cannot. */
const OF_THE_DEVICE = [
  'AbortError',
  'ConstraintError',
  'InvalidStateError',
  'NotAllowedError',
  'NotSupportedError',
  'SecurityError',
];

/** The labels by which pages name fields of the API. */
const FIELD_LABELS: Readonly<Record<string, TextKey>> = {
  account_name: 'nav.account',
  address: 'pools.address',
  amount_cents: 'bookings.amount',
  date: 'bookings.date',
  date_from: 'bookings.from',
  date_of_birth: 'members.born',
  date_to: 'bookings.to',
  description: 'webhooks.description',
  duration_minutes: 'bookings.length',
  email: 'auth.email',
  emergency_contact: 'members.contact',
  instructor_id: 'bookings.instructor',
  lanes: 'pools.lanes',
  lesson_ids: 'bookings.lessons',
  makeup_credit_id: 'credits.use',
  medical_notes: 'members.medical',
  member_id: 'bookings.member',
  member_ids: 'bookings.members',
  name: 'settings.userName',
  notes: 'bookings.notes',
  password: 'auth.password',
  payment_method_id: 'bookings.method',
  phone: 'members.phone',
  pool_id: 'pools.name',
  price_cents: 'bookings.price',
  reason: 'bookings.reason',
  timezone: 'pools.zone',
  url: 'webhooks.url',
};

/** Fields that no page shows, about which the sentence of the reason says all. */
const UNSEEN_FIELDS = ['token'];

/** The name of a field without the objects and lists that it is in. */
const lastOf = (field: string): string =>
  field
    .replace(/(?:[.[]\d+]?)+$/, '')
    .split('.')
    .at(-1)!;

const messageOf = ({ message }: ApiError): string => message.replace(/ \(req_\w+\)$/, '');

/** The sentence about a rejected request; about one of its fields, with the name of that field, which the page may not show. */
function sentenceOfRejection(error: ApiError, { t, rejected }: Language): string {
  const { errors: [first] = [] } = error.details as RejectedFields;
  const message = messageOf(error);
  if (!first) return rejected({ ...error.details, message });
  if (UNSEEN_FIELDS.includes(first.field)) return rejected(first);
  const label = FIELD_LABELS[lastOf(first.field)];
  return label ? `${t(label)}: ${rejected(first)}` : message;
}

interface RejectedFields {
  readonly field?: string;
  readonly errors?: readonly (Rejection & { readonly field: string })[];
}

function sentenceOf(error: unknown, language: Language): string {
  const { t } = language;
  if (error instanceof ApiError && error.code === 'RATE_LIMIT_EXCEEDED')
    return t('error.tooMany', { seconds: error.retryAfterSeconds ?? 60 });
  if (error instanceof ApiError) return sentenceOfRejection(error, language);
  if (!navigator.onLine) return t('error.offline');
  if (error instanceof ConnectionError) return t('error.connection');
  if (error instanceof Error && OF_THE_DEVICE.includes(error.name)) return t('error.device');
  return t('error.unexpected');
}

const docUrlOf = (error: ApiError): string | null => {
  const { doc_url: url } = error.details as { doc_url?: string };
  return url && /^(?:https?:\/)?\//.test(url) ? url : null;
};

/** An error in the language of the user, if its reason has a text, with a link to the documentation; nothing without an error. */
export function ErrorNotice({ error }: { error: unknown }) {
  const language = useLanguage();
  const { t } = language;
  if (!error) return null;
  const docUrl = error instanceof ApiError ? docUrlOf(error) : null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Notice kind="danger">
      <p>{sentenceOf(error, language)}</p>
      {(docUrl || requestId) && (
        <p className="notice-more">
          {docUrl && (
            <a href={docUrl} target="_blank" rel="noreferrer">
              {t('error.docs')}
            </a>
          )}
          {requestId && <code>{requestId}</code>}
        </p>
      )}
    </Notice>
  );
}

/** The error of one field of a rejected request; undefined without one. */
export function fieldErrorOf(error: unknown, field: string): Rejection | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { errors, field: only } = error.details as RejectedFields;
  const found = errors?.find((each) => each.field === field || each.field.startsWith(`${field}[`));
  return found ?? (!errors && only === field ? { ...error.details, message: messageOf(error) } : undefined);
}

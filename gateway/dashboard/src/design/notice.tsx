import { ApiError, ConnectionError, RateLimitError } from '@swim/sdk';
import type { ReactNode } from 'react';
import { type Language, useLanguage } from '../texts/language.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'success' | 'warning' | 'danger';
  readonly children: ReactNode;
}

/** A message that belongs to the place where it stands. */
export function Notice({ kind = 'info', children }: NoticeProps) {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'danger' ? 'alert' : 'status'}>
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

function sentenceOf(error: unknown, t: Language['t']): string {
  if (error instanceof RateLimitError) return t('error.tooMany', { seconds: error.retryAfterSeconds ?? 60 });
  if (error instanceof ApiError) return error.message.replace(/ \(req_\w+\)$/, '');
  if (error instanceof ConnectionError) return t('error.connection');
  if (error instanceof Error && OF_THE_DEVICE.includes(error.name)) return t('error.device');
  return t('error.unexpected');
}

const docUrlOf = (error: ApiError): string | null => {
  const { doc_url: url } = error.details as { doc_url?: string };
  return url && /^(?:https?:\/)?\//.test(url) ? url : null;
};

/** What went wrong, in the words of the API, with the way to its explanation; nothing without an error. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { t } = useLanguage();
  if (!error) return null;
  const docUrl = error instanceof ApiError ? docUrlOf(error) : null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Notice kind="danger">
      <p>{sentenceOf(error, t)}</p>
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

interface RejectedFields {
  readonly field?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** The sentence about one field of a rejected request; undefined where nothing is wrong with it. */
export function fieldErrorOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { errors, field: only } = error.details as RejectedFields;
  const found = errors?.find((each) => each.field === field || each.field.startsWith(`${field}[`));
  if (found) return found.message;
  return !errors && only === field ? error.message : undefined;
}

import type { RequestLogEntry } from '@swim/sdk';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useLanguage } from '../../texts/language.tsx';

const toneOf = (status: number): Tone => (status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success');

/** The status of the answer to a request. */
export const StatusBadge = ({ status }: Pick<RequestLogEntry, 'status'>) => (
  <Badge tone={toneOf(status)}>{status}</Badge>
);

/** Method and path of a request, as one line of code. */
export function Target({ request: { method, path } }: { request: RequestLogEntry }) {
  const { t } = useLanguage();
  return (
    <code>
      {method} {path ?? t('requests.unknownPath')}
    </code>
  );
}

/** Milliseconds, in the form of the language. */
export function Took({ ms }: { ms: number }) {
  const { tag } = useLanguage();
  return <>{new Intl.NumberFormat(tag, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 1 }).format(ms)}</>;
}

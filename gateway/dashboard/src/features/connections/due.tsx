import type { Family } from '@swim/sdk';
import { money } from '../../design/values/amount.ts';
import { Ago } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

/** What a family owes, and since when the oldest of it is overdue. */
export function Due({ of: { due, oldest_due_at: since } }: { of: Family }) {
  const { t, tag } = useLanguage();
  if (!due || due.length === 0) return null;
  const overdue = due.filter(({ overdue_cents: cents }) => cents > 0);
  return (
    <span className="stack-tight">
      <strong>{due.map(({ cents, currency }) => money(cents, currency, tag)).join(', ')}</strong>
      {overdue.length > 0 && since && (
        <span className="hint">
          {t('families.overdue', {
            amount: overdue.map(({ overdue_cents: cents, currency }) => money(cents, currency, tag)).join(', '),
          })}{' '}
          <Ago at={since} />
        </span>
      )}
    </span>
  );
}

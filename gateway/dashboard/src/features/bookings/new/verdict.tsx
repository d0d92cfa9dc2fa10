import type { Booking } from '@swim/sdk';
import { Button } from '../../../design/button.tsx';
import { ErrorNotice, Notice } from '../../../design/notice.tsx';
import { Loading } from '../../../design/page.tsx';
import { money } from '../../../design/values/amount.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { conflictsOf, type DateConflict, type usePreview } from './new-booking.ts';

interface ConflictsProps {
  readonly conflicts: readonly DateConflict[];
  readonly timezone: string;
  /** Takes a suggestion; absent where one time is not enough, as for the dates of several weeks. */
  readonly onTake?: ((date: string) => void) | undefined;
}

function Conflicts({ conflicts, timezone, onTake }: ConflictsProps) {
  const { t, rejected } = useLanguage();
  return (
    <ul className="plain-list stack-tight">
      {conflicts.map(({ date, reason, suggestions = [] }) => (
        <li key={`${date} ${reason}`} className="stack-tight">
          <span>
            <Instant at={date} timeZone={timezone} />: {rejected({ reason, message: reason.replaceAll('_', ' ') })}
          </span>
          {onTake && suggestions.length > 0 && (
            <span className="row">
              {t('bookings.instead')}
              {suggestions.map((each) => (
                <Button key={each.date} small onPress={() => onTake(each.date)}>
                  <Instant at={each.date} timeZone={timezone} />
                </Button>
              ))}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Free({ preview, timezone }: { preview: Booking; timezone: string }) {
  const { t, tag } = useLanguage();
  const { amount_cents: cents, currency, session_ids: ids, skipped = [] } = preview;
  return (
    <>
      <Notice kind="success">{t('bookings.free', { count: ids.length, amount: money(cents, currency, tag) })}</Notice>
      {skipped.length > 0 && (
        <Notice kind="warning">
          {t('bookings.skipped')}
          <Conflicts conflicts={skipped} timezone={timezone} />
        </Notice>
      )}
    </>
  );
}

type VerdictProps = { readonly preview: ReturnType<typeof usePreview> } & Omit<ConflictsProps, 'conflicts'>;

/** The outcome that the booking would have. */
export function Verdict({ preview, timezone, onTake }: VerdictProps) {
  if (preview.isPending) return <Loading />;
  if (preview.error)
    return (
      <>
        <ErrorNotice error={preview.error} />
        <Conflicts conflicts={conflictsOf(preview.error)} timezone={timezone} onTake={onTake} />
      </>
    );
  return preview.data ? <Free preview={preview.data} timezone={timezone} /> : null;
}

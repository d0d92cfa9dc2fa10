import type { Booking, CreateBookingBody } from '@swim/sdk';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useMe, useScopes } from '../../../api/me.ts';
import { useInstructorChoice, useInstructorZone, useMemberSearch } from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { Checkbox, Choice, TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { SearchChoice } from '../../../design/fields/search-choice.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../../design/notice.tsx';
import { Empty, Loading, Page } from '../../../design/page.tsx';
import { money } from '../../../design/values/amount.ts';
import { otherZone } from '../../../design/values/instant-text.ts';
import { wallClockAt } from '../../../design/values/wall-clock.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { type BookingValues, bodyOf, MOST_WEEKS, weeksOf } from './booking-body.ts';
import { conflictsOf, type DateConflict, useBook, usePreview } from './new-booking.ts';
import '../bookings.css';

const LENGTHS = ['20', '30', '45', '60', '90', '120'] as const;

interface PartProps {
  readonly values: BookingValues;
  readonly set: (changes: Partial<BookingValues>) => void;
  readonly error: unknown;
}

function Members({ values: { members }, set, error }: PartProps) {
  const { t } = useLanguage();
  const [text, setText] = useState('');
  const [added, setAdded] = useState('');
  // A value that goes empties the field for the next name, and keeps its focus.
  useEffect(() => {
    if (added) setAdded('');
  }, [added]);
  const found = useMemberSearch(text);
  const options = found?.filter(({ id }) => members.every((each) => each.id !== id));
  const add = (id: string) => {
    const member = options?.find((each) => each.id === id);
    if (!member) return;
    setAdded(id);
    set({ members: [...members, member] });
  };
  return (
    <div className="stack-tight">
      <SearchChoice
        label={t('bookings.addMember')}
        placeholder={t('bookings.findMember')}
        value={added}
        options={options}
        onSearch={setText}
        onChange={add}
        error={fieldErrorOf(error, 'member_ids')}
      />
      {members.length > 0 && (
        <ul className="plain-list row" aria-label={t('bookings.members')}>
          {members.map(({ id, name }) => (
            <li key={id}>
              <Button
                small
                aria-label={t('bookings.removeMember', { name })}
                onPress={() => set({ members: members.filter((each) => each.id !== id) })}
              >
                {name} ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function When({ values, set }: PartProps) {
  const { t } = useLanguage();
  const timezone = useInstructorZone(values.instructor);
  const isWrong = weeksOf(values) === null;
  return (
    <>
      <div className="columns booking-when">
        <TextField
          label={t('bookings.day')}
          type="date"
          value={values.date}
          onChange={(date) => set({ date })}
          isRequired
        />
        <TextField
          label={t('bookings.time')}
          description={otherZone(timezone)}
          type="time"
          value={values.time}
          onChange={(time) => set({ time })}
          isRequired
        />
        <Choice
          label={t('bookings.length')}
          value={values.minutes}
          onChange={(minutes) => set({ minutes })}
          options={LENGTHS.map((value) => ({ value: value as string, label: t('bookings.minutes', { count: value }) }))}
        />
        <TextField
          label={t('bookings.weeks')}
          description={t('bookings.weeksHint')}
          inputMode="numeric"
          value={values.weeks}
          onChange={(weeks) => set({ weeks })}
          error={isWrong ? t('bookings.noWeeks', { most: MOST_WEEKS }) : undefined}
        />
      </div>
      {!isWrong && values.weeks.trim() !== '1' && (
        <Checkbox isSelected={values.skips} onChange={(skips) => set({ skips })}>
          {t('bookings.skip')}
        </Checkbox>
      )}
    </>
  );
}

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

function Verdict({ preview, timezone, onTake }: VerdictProps) {
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

function Booked({ booking, date }: { booking: Booking; date: string }) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  return (
    <Notice kind="success">
      <span className="row">
        {t('bookings.booked')}
        <Link href={`/bookings/${booking.id}`}>{t('bookings.show')}</Link>
        {kind === 'school' && <Link href={`/calendar?date=${date}`}>{t('bookings.inCalendar')}</Link>}
      </span>
    </Notice>
  );
}

function BookingForm({
  start,
  instructors,
}: {
  start: BookingValues;
  instructors: readonly { id: string; name: string }[];
}) {
  const { t } = useLanguage();
  const book = useBook();
  const [booked, setBooked] = useState<{ booking: Booking; date: string } | null>(null);
  const { values, set, submit } = useForm(start, (sent) => {
    const body = bodyOf(sent, timezone);
    if (body) send(body, sent.date);
  });
  const timezone = useInstructorZone(values.instructor);
  const preview = usePreview(bodyOf(values, timezone));
  const send = (body: CreateBookingBody, date: string) =>
    book.mutate(body, {
      onSuccess: (booking) => {
        setBooked({ booking, date });
        set({ members: [] });
      },
    });
  const change = (changes: Partial<BookingValues>) => {
    book.reset();
    setBooked(null);
    set(changes);
  };
  const onTake = weeksOf(values) === 1 ? (date: string) => change(wallClockAt(date, timezone)) : undefined;
  const part = { values, set: change, error: book.error ?? preview.error };
  return (
    <form className="card stack booking-form" onSubmit={submit}>
      <Members {...part} />
      <Choice
        label={t('bookings.instructor')}
        value={values.instructor}
        onChange={(instructor) => change({ instructor })}
        options={[{ id: '', name: '–' }, ...instructors].map(({ id, name }) => ({ value: id, label: name }))}
      />
      <When {...part} />
      <TextField
        label={t('bookings.notes')}
        rows={2}
        value={values.notes}
        onChange={(notes) => change({ notes })}
        error={fieldErrorOf(part.error, 'notes')}
      />
      <div className="stack-tight" aria-live="polite">
        {book.error ? (
          <ErrorNotice error={book.error} />
        ) : (
          <Verdict preview={preview} timezone={timezone} onTake={onTake} />
        )}
        {booked && <Booked {...booked} />}
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={book.isPending} isDisabled={!preview.data}>
          {t('bookings.book')}
        </Button>
      </div>
    </form>
  );
}

/** Books lessons for one member or a group, once or each week; what would become of it is shown before. */
export default function NewBookingPage() {
  const { t } = useLanguage();
  const { account } = useMe();
  const can = useScopes();
  const [params] = useSearchParams();
  const { data: instructors, error } = useInstructorChoice();
  const start: BookingValues = {
    members: [],
    instructor: params.get('instructor') ?? (instructors?.length === 1 ? instructors[0]!.id : ''),
    date: params.get('date') ?? '',
    time: params.get('time') ?? '',
    minutes: '30',
    weeks: '1',
    skips: false,
    notes: '',
  };
  const toInstructors = (
    <Link href="/instructors" className="button button-primary">
      {t('calendar.next.instructors')}
    </Link>
  );
  return (
    <Page title={t('bookings.new')} lead={<Link href="/bookings">{t('bookings.title')}</Link>}>
      <ErrorNotice error={error} />
      {!can('bookings:write') && <p className="hint">{t('role.needed')}</p>}
      {can('bookings:write') && !instructors && !error && <Loading />}
      {can('bookings:write') && instructors?.length === 0 && (
        <Empty title={t('calendar.empty.instructors')} action={account.kind === 'school' && toInstructors}>
          {t('bookings.needsInstructor')}
        </Empty>
      )}
      {can('bookings:write') && instructors && instructors.length > 0 && (
        <BookingForm start={start} instructors={instructors} />
      )}
    </Page>
  );
}

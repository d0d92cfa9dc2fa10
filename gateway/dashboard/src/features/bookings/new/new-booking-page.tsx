import type { Booking, CreateBookingBody, ListedInstructor } from '@swim/sdk';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useMe, useScopes } from '../../../api/me.ts';
import {
  useInstructorChoice,
  useInstructorCurrency,
  useInstructorZone,
  useMemberNamesQuery,
} from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { CreditChoice, useCredits } from '../../../design/fields/credit-choice.tsx';
import { TextField } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { MethodChoice, useMethods } from '../../../design/fields/method-choice.tsx';
import { FreeTimes, type Picked } from '../../../design/free-times/free-times.tsx';
import { type Child, useChildren } from '../../../design/lessons/open-lessons.ts';
import { NoInstructors } from '../../../design/no-instructors.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../../design/notice.tsx';
import { Loading, Page } from '../../../design/page.tsx';
import { instantAt, wallClockAt } from '../../../design/values/wall-clock.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { type BookingValues, bodyOf, weeksOf } from './booking-body.ts';
import { MembersField, type PartProps } from './members-field.tsx';
import { useBook, usePreview } from './new-booking.ts';
import { PriceFields } from './price-fields.tsx';
import { Verdict } from './verdict.tsx';
import { HowLong, Typed } from './when-fields.tsx';
import '../bookings.css';

function Booked({ booking, date }: { booking: Booking; date: string }) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  return (
    <Notice kind="success" comesIntoView>
      <span className="row">
        {t('bookings.booked')}
        <Link href={`/bookings/${booking.id}`}>{t('bookings.show')}</Link>
        {kind === 'school' && <Link href={`/calendar?date=${date}`}>{t('bookings.inCalendar')}</Link>}
      </span>
    </Notice>
  );
}

interface WhenProps extends PartProps {
  readonly instructors: readonly ListedInstructor[];
}

/** Which lessons: a free time, or one that is typed. */
function When({ instructors, ...part }: WhenProps) {
  const { values, set } = part;
  const [start] = useState(values);
  const { data: children = [] } = useChildren(useMe().account.kind === 'family');
  const timeZone = useInstructorZone(values.instructor);
  const date = instantAt(values, timeZone);
  const pick = ({ instructorId, date: at }: Picked) => {
    const zone = instructors.find(({ id }) => id === instructorId)!.timezone;
    set({ instructor: instructorId, ...wallClockAt(at, zone) });
  };
  const [child] = children.filter(({ id }) => values.members.length === 1 && id === values.members[0]!.id);
  return (
    <>
      <HowLong {...part} />
      <FreeTimes
        minutes={Number(values.minutes)}
        level={child?.level}
        startsOn={start.date || undefined}
        startsWith={start.instructor}
        picked={date && values.instructor ? { instructorId: values.instructor, date } : null}
        onPick={pick}
      />
      <Typed {...part} instructors={instructors} isOpen={start.time !== ''} />
    </>
  );
}

/** How a family pays: the method that may be charged, and a credit. */
function Paying({ values, set, schoolId, currency }: PartProps & { schoolId?: string; currency?: string }) {
  const { t } = useLanguage();
  const { data: methods = [] } = useMethods();
  const { data: credits = [] } = useCredits(schoolId, currency);
  if (useMe().account.kind === 'school') return null;
  return (
    <div className="columns">
      <MethodChoice
        methods={methods}
        value={values.methodId}
        onChange={(methodId) => set({ methodId })}
        none={t('open.noMethod')}
        description={t('open.methodHint')}
      />
      <CreditChoice credits={credits} value={values.creditId} onChange={(creditId) => set({ creditId })} />
    </div>
  );
}

interface FormProps {
  readonly start: BookingValues;
  readonly instructors: readonly ListedInstructor[];
}

/** The form, its outcome, and how it is sent. */
function useBookingForm({ start }: FormProps) {
  const book = useBook();
  const [booked, setBooked] = useState<{ booking: Booking; date: string } | null>(null);
  const { values, set, submit } = useForm(start, (sent) => {
    const body = bodyOf(sent, timezone, currency);
    if (body) send(body, sent.date);
  });
  const timezone = useInstructorZone(values.instructor);
  const currency = useInstructorCurrency(values.instructor);
  const preview = usePreview(bodyOf(values, timezone, currency));
  const send = (body: CreateBookingBody, date: string) =>
    book.mutate(body, {
      onSuccess: (booking) => {
        setBooked({ booking, date });
        set({ ...start, members: [], date: '', time: '' });
      },
    });
  const change = (changes: Partial<BookingValues>) => {
    book.reset();
    setBooked(null);
    set(changes);
  };
  return { book, booked, values, submit, timezone, preview, change };
}

function BookingForm(props: FormProps) {
  const { t } = useLanguage();
  const { book, booked, values, submit, timezone, preview, change } = useBookingForm(props);
  const onTake = weeksOf(values) === 1 ? (date: string) => change(wallClockAt(date, timezone)) : undefined;
  const part = { values, set: change, error: book.error ?? preview.error };
  const instructor = props.instructors.find(({ id }) => id === values.instructor);
  const date = instantAt(values, timezone);
  return (
    <form className="card stack booking-form" onSubmit={submit}>
      <MembersField {...part} />
      <When {...part} instructors={props.instructors} />
      <TextField
        label={t('bookings.notes')}
        rows={2}
        value={values.notes}
        onChange={(notes) => change({ notes })}
        error={fieldErrorOf(part.error, 'notes')}
      />
      <PriceFields {...part} />
      <Paying {...part} {...(instructor && { schoolId: instructor.account_id, currency: instructor.currency })} />
      <div className="stack-tight" aria-live="polite">
        {instructor && date && (
          <strong>
            <Instant at={date} timeZone={timezone} /> · {instructor.name}
          </strong>
        )}
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

/** The form at first: what the address says, as a click on an empty hour of the calendar does, and a child to choose from. */
function useStart(instructors: readonly ListedInstructor[] | undefined): BookingValues | undefined {
  const { account } = useMe();
  const [params] = useSearchParams();
  const isFamily = account.kind === 'family';
  const asked = params.get('member') ?? '';
  const children = useChildren(isFamily);
  const methods = useMethods();
  // A school has too many members to list them all.
  const known = useMemberNamesQuery(asked && !isFamily ? [asked] : []);
  if (!instructors || known.isPending || (isFamily && (children.isPending || methods.isLoading))) return undefined;
  const instructor = params.get('instructor') ?? (instructors.length === 1 ? instructors[0]!.id : '');
  const zone = instructors.find(({ id }) => id === instructor)?.timezone ?? account.timezone;
  const at = params.get('at');
  const isInstant = at !== null && !Number.isNaN(Date.parse(at));
  const chosen = (child: Child, _: number, all: readonly Child[]) => child.id === asked || all.length === 1;
  const members = isFamily
    ? (children.data ?? []).filter(chosen)
    : [...known.names].map(([id, name]) => ({ id, name }));
  const method = methods.data?.find((each) => each.is_default);
  return {
    members,
    instructor,
    ...(isInstant ? wallClockAt(at, zone) : { date: params.get('date') ?? '', time: params.get('time') ?? '' }),
    minutes: '30',
    weeks: '1',
    skips: false,
    notes: '',
    methodId: (isFamily && method?.id) || '',
    creditId: '',
    price: '',
    priceReason: '',
  };
}

/** Books lessons for one member or a group, once or each week; its outcome is shown before. */
export default function NewBookingPage() {
  const { t } = useLanguage();
  const can = useScopes();
  const [params] = useSearchParams();
  const { account } = useMe();
  const { data: instructors, error } = useInstructorChoice(params.get('instructor') ?? '');
  const start = useStart(instructors);
  const withPlaces = account.kind === 'school' && can('sessions:write') && (
    <Link href={`/lessons/new?${params}`} className="button button-secondary">
      {t('bookings.withPlaces')}
    </Link>
  );
  return (
    <Page title={t('bookings.new')} lead={<Link href="/bookings">{t('bookings.title')}</Link>} actions={withPlaces}>
      <ErrorNotice error={error} />
      {!can('bookings:write') && <p className="hint">{t('role.needed')}</p>}
      {can('bookings:write') && !start && !error && <Loading />}
      {can('bookings:write') && instructors?.length === 0 && <NoInstructors />}
      {can('bookings:write') && instructors && instructors.length > 0 && start && (
        <BookingForm start={start} instructors={instructors} />
      )}
    </Page>
  );
}

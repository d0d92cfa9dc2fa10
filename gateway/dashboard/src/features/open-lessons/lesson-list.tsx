import type { Booking, Lesson } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { useInstructorNames, usePoolNames, useSchoolNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { useForWhom } from '../../design/lessons/for-whom.ts';
import { Line, useLine } from '../../design/lessons/line.tsx';
import { type Child, hasPlace } from '../../design/lessons/open-lessons.ts';
import { Notice } from '../../design/notice.tsx';
import { Empty } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { money } from '../../design/values/amount.ts';
import { instantText } from '../../design/values/instant-text.ts';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { BookDialog } from './book-dialog.tsx';
import type { OpenLessonFilters } from './filters.ts';
import { type ChosenLessons, useLessonsFor } from './open-lessons.ts';

const MOST_LESSONS = 52;

interface Shows {
  readonly whenOf: (lesson: Lesson) => ReactNode;
  readonly whereOf: (lesson: Lesson) => ReactNode;
  readonly forWhom: (lesson: Lesson) => string;
  readonly pickOf: (lesson: Lesson) => ReactNode;
  readonly actionOf: (lesson: Lesson) => ReactNode;
}

const columnsOf = ({ t, tag }: Language, shows: Shows): Column<Lesson>[] => [
  { key: 'pick', title: t('open.pick'), isPick: true, cell: shows.pickOf },
  { key: 'when', title: t('bookings.date'), cell: shows.whenOf },
  { key: 'where', title: t('bookings.instructor'), cell: shows.whereOf },
  { key: 'for', title: t('lessons.forWhom'), cell: shows.forWhom },
  {
    key: 'places',
    title: t('lessons.places'),
    isNumeric: true,
    cell: ({ places_left: left, capacity }) => t('open.placesOf', { left, capacity }),
  },
  {
    key: 'price',
    title: t('bookings.price'),
    isNumeric: true,
    cell: ({ price_cents: cents, currency }) => money(cents, currency, tag),
  },
  { key: 'action', title: t('bookings.book'), hideTitle: true, cell: shows.actionOf },
];

/** Lessons of one booking are of one school and one currency. */
const goesWith = (lesson: Lesson, [first]: readonly Lesson[]): boolean =>
  !first || (lesson.account_id === first.account_id && lesson.currency === first.currency);

function Picked({ picks, onBook, onClear }: { picks: readonly Lesson[]; onBook: () => void; onClear: () => void }) {
  const { t, tag } = useLanguage();
  const cents = picks.reduce((sum, { price_cents: each }) => sum + each, 0);
  return (
    <div className="picked card row" role="status">
      <strong>{t('open.picked', { count: picks.length, amount: money(cents, picks[0]!.currency, tag) })}</strong>
      <Button kind="primary" onPress={onBook}>
        {t('open.bookPicked')}
      </Button>
      <Button kind="quiet" onPress={onClear}>
        {t('open.clear')}
      </Button>
    </div>
  );
}

function Booked({ booking }: { booking: Booking }) {
  const { t } = useLanguage();
  return (
    <Notice kind="success" comesIntoView>
      <span className="row">
        {t(booking.status === 'pending' ? 'open.bookedPending' : 'bookings.booked')}
        <Link href={`/bookings/${booking.id}`}>{t('bookings.show')}</Link>
      </span>
    </Notice>
  );
}

interface ListProps {
  readonly child: Child;
  readonly filters: OpenLessonFilters;
}

/** What each row of the list shows. */
function useRows({ child, filters }: ListProps, onTake: (chosen: ChosenLessons) => void) {
  const language = useLanguage();
  const { t, tag } = language;
  const { pages, zoneOf, misfitOf } = useLessonsFor(child, filters);
  const lessons = pages.rows ?? [];
  const instructors = useInstructorNames(lessons.map(({ instructor_id: id }) => id));
  const pools = usePoolNames(lessons.flatMap(({ location }) => location?.pool_id ?? []));
  const schools = useSchoolNames(lessons.map(({ account_id: id }) => id));
  const forWhom = useForWhom();
  const line = useLine(child);
  const whenText = (lesson: Lesson) => instantText(lesson.date, tag, zoneOf(lesson));
  const reasonAgainst = (lesson: Lesson) => {
    if (hasPlace(child.id, lesson)) return <Badge tone="success">{t('open.isBooked')}</Badge>;
    const misfit = misfitOf(lesson, child);
    if (misfit) return <span className="hint">{t(`reason.not_eligible.${misfit}`)}</span>;
    if (lesson.places_left > 0 && !line.has(lesson.id)) return null;
    return (
      <Line
        child={child}
        of={{ lesson_id: lesson.id }}
        take={[t('bookings.book'), t('open.bookNamed', { when: whenText(lesson) })]}
        entry={line.get(lesson.id)}
        when={whenText(lesson)}
        onTake={(holdId) => onTake({ lessons: [lesson], holdId })}
      />
    );
  };
  const whenOf = (lesson: Lesson) => (
    <span className="stack-tight">
      <Instant at={lesson.date} timeZone={zoneOf(lesson)} />
      <span className="hint">{t('bookings.minutes', { count: lesson.duration_minutes })}</span>
    </span>
  );
  const whereOf = ({ instructor_id: id, account_id: schoolId, location }: Lesson) => (
    <span className="stack-tight">
      <Link href={`/instructors/${id}`}>{instructors.get(id) ?? '–'}</Link>
      <span className="hint">
        {[schools.get(schoolId), pools.get(location?.pool_id ?? '')].filter(Boolean).join(' · ')}
      </span>
    </span>
  );
  return { language, pages, zoneOf, whenText, reasonAgainst, whenOf, whereOf, forWhom };
}

/** The lessons that are picked to be booked together, and the box that picks one. */
function usePicks(whenText: (lesson: Lesson) => string) {
  const { t } = useLanguage();
  const [picks, setPicks] = useState<readonly Lesson[]>([]);
  const pick = (lesson: Lesson, isOn: boolean) =>
    setPicks([...picks.filter(({ id }) => id !== lesson.id), ...(isOn ? [lesson] : [])]);
  const boxOf = (lesson: Lesson) => {
    const isSelected = picks.some(({ id }) => id === lesson.id);
    const isDisabled = !isSelected && (!goesWith(lesson, picks) || picks.length >= MOST_LESSONS);
    return (
      <Checkbox isSelected={isSelected} isDisabled={isDisabled} onChange={(isOn) => pick(lesson, isOn)}>
        <span className="visually-hidden">{t('open.pickNamed', { when: whenText(lesson) })}</span>
      </Checkbox>
    );
  };
  return { picks, boxOf, clear: () => setPicks([]) };
}

/** The lessons that fit a child; one is booked at once, several are picked and booked together. */
export function LessonList(props: ListProps) {
  const { child } = props;
  const [chosen, setChosen] = useState<ChosenLessons | null>(null);
  const [booked, setBooked] = useState<Booking | null>(null);
  const open = (lessons: ChosenLessons) => {
    setBooked(null);
    setChosen(lessons);
  };
  const { language, pages, zoneOf, whenText, reasonAgainst, ...shows } = useRows(props, open);
  const { t } = language;
  const canBook = useScopes()('bookings:write');
  const { picks, boxOf, clear } = usePicks(whenText);
  const onBooked = (booking: Booking) => {
    setBooked(booking);
    clear();
    setChosen(null);
  };
  const pickOf = (lesson: Lesson) => canBook && !reasonAgainst(lesson) && boxOf(lesson);
  const actionOf = (lesson: Lesson) =>
    reasonAgainst(lesson) ??
    (canBook && (
      <Button
        small
        aria-label={t('open.bookNamed', { when: whenText(lesson) })}
        onPress={() => open({ lessons: [lesson] })}
      >
        {t('bookings.book')}
      </Button>
    ));
  return (
    <>
      {booked && <Booked booking={booked} />}
      <PagedTable
        label={t('open.title')}
        pages={pages}
        empty={<Empty title={t('open.none', { name: child.name })}>{t('open.noneText')}</Empty>}
        rowKey={({ id }) => id}
        columns={columnsOf(language, { ...shows, pickOf, actionOf })}
      />
      {picks.length > 0 && <Picked picks={picks} onBook={() => open({ lessons: picks })} onClear={clear} />}
      {chosen && (
        <BookDialog child={child} start={chosen} zoneOf={zoneOf} onBooked={onBooked} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

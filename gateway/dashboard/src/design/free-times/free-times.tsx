import type { AvailableSlot, ListedInstructor, SwimmingLevel } from '@swim/sdk';
import { useState } from 'react';
import { LEVELS } from '../../api/levels.ts';
import { useMe } from '../../api/me.ts';
import { useInstructorChoice, usePoolNames, useSchoolNames } from '../../api/names.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Choice } from '../fields/fields.tsx';
import { Icon } from '../icon.tsx';
import { Empty, Shown } from '../page.tsx';
import { otherZone } from '../values/instant-text.ts';
import { wallClockAt } from '../values/wall-clock.ts';
import { dayAfter, useFirstFree, useFreeTimes, useToday } from './search.ts';
import './free-times.css';

const PARTS = ['morning', 'afternoon', 'evening'] as const;
type Part = (typeof PARTS)[number];

/** The part of the day of a time, HH:MM. */
const partOf = (time: string): Part => (time < '12' ? 'morning' : time < '17' ? 'afternoon' : 'evening');

interface Filters {
  readonly part: Part | '';
  readonly level: SwimmingLevel | '';
  readonly pool: string;
  readonly instructor: string;
}

const poolsOf = ({ service_areas: areas }: ListedInstructor): readonly string[] =>
  areas.flatMap(({ pool_ids: ids }) => ids ?? []);

const teaches = ({ levels_taught: levels }: ListedInstructor, level: SwimmingLevel | ''): boolean =>
  level === '' || levels.length === 0 || levels.includes(level);

interface FilterProps {
  readonly filters: Filters;
  readonly instructors: readonly ListedInstructor[];
  readonly onChange: (changes: Partial<Filters>) => void;
}

function FilterFields({ filters, instructors, onChange }: FilterProps) {
  const { t } = useLanguage();
  const pools = usePoolNames(instructors.flatMap(poolsOf));
  const any = { value: '' as const, label: t('bookings.all') };
  return (
    <div className="filters">
      <Choice
        label={t('free.part')}
        value={filters.part}
        onChange={(part) => onChange({ part })}
        options={[any, ...PARTS.map((value) => ({ value, label: t(`free.${value}`) }))]}
      />
      <Choice
        label={t('members.level')}
        value={filters.level}
        onChange={(level) => onChange({ level })}
        options={[any, ...LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))]}
      />
      {pools.size > 0 && (
        <Choice
          label={t('lessons.pool')}
          value={filters.pool}
          onChange={(pool) => onChange({ pool })}
          options={[{ ...any, label: t('open.anyPool') }, ...[...pools].map(([value, label]) => ({ value, label }))]}
        />
      )}
      <Choice
        label={t('free.instructor')}
        value={filters.instructor}
        onChange={(instructor) => onChange({ instructor })}
        options={[any, ...instructors.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    </div>
  );
}

interface DaysProps {
  /** The first of the days. */
  readonly from: string;
  readonly day: string;
  readonly today: string;
  readonly onChange: (from: string, day: string) => void;
}

const WEEK = 7;

function Days({ from, day, today, onChange }: DaysProps) {
  const { t, tag } = useLanguage();
  const by = (days: number) => {
    const next = dayAfter(from, days);
    const first = next < today ? today : next;
    onChange(first, first);
  };
  const full = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  // The month is named once, so that a week fits.
  const shortOf = (each: string) => (each === from || each.endsWith('-01') ? full : { ...full, month: undefined });
  const nameOf = (each: string, parts: Intl.DateTimeFormatOptions) => new Date(each).toLocaleDateString(tag, parts);
  return (
    <div className="free-days">
      <Button aria-label={t('calendar.previous')} isDisabled={from <= today} onPress={() => by(-WEEK)}>
        <Icon name="previous" />
      </Button>
      <ul className="plain-list">
        {Array.from({ length: WEEK }, (_, at) => dayAfter(from, at)).map((each) => (
          <li key={each}>
            <Button
              small
              kind={each === day ? 'primary' : 'secondary'}
              aria-pressed={each === day}
              aria-label={nameOf(each, full)}
              onPress={() => onChange(from, each)}
            >
              {nameOf(each, shortOf(each))}
            </Button>
          </li>
        ))}
      </ul>
      <Button aria-label={t('calendar.next')} onPress={() => by(WEEK)}>
        <Icon name="next" />
      </Button>
    </div>
  );
}

/** A time at which an instructor teaches. */
export interface Picked {
  readonly instructorId: string;
  /** ISO 8601. */
  readonly date: string;
}

interface RowProps {
  readonly instructor: ListedInstructor;
  /** Name of the school, where a family chooses. */
  readonly school: string | undefined;
  readonly slots: readonly AvailableSlot[];
  readonly picked: Picked | null;
  readonly onPick: (picked: Picked) => void;
}

function Row({ instructor: { id, name, timezone }, school, slots, picked, onPick }: RowProps) {
  const isPicked = ({ date }: AvailableSlot) =>
    picked?.instructorId === id && Date.parse(picked.date) === Date.parse(date);
  return (
    <section className="free-row" aria-label={name}>
      <span>
        <strong>{name}</strong> <span className="hint">{[school, otherZone(timezone)].filter(Boolean).join(', ')}</span>
      </span>
      <div className="row">
        {slots.map((slot) => {
          const { time } = wallClockAt(slot.date, timezone);
          return (
            <Button
              key={slot.date}
              small
              kind={isPicked(slot) ? 'primary' : 'secondary'}
              aria-pressed={isPicked(slot)}
              aria-label={`${time}, ${name}`}
              onPress={() => onPick({ instructorId: id, date: slot.date })}
            >
              {time}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

interface FreeTimesProps {
  readonly minutes: number;
  /** Only of this instructor. */
  readonly instructorId?: string;
  readonly level?: SwimmingLevel | undefined;
  /** The instructor who is chosen at first. */
  readonly startsWith?: string;
  /** The day that is shown first, YYYY-MM-DD; without it the first with a free time. */
  readonly startsOn?: string | undefined;
  readonly picked: Picked | null;
  readonly onPick: (picked: Picked) => void;
}

/** The instructors whom filters leave. */
const matching = (all: readonly ListedInstructor[], { level, pool, instructor }: Filters) =>
  all.filter(
    (each) =>
      teaches(each, level) && (!pool || poolsOf(each).includes(pool)) && (!instructor || each.id === instructor),
  );

/** Among whom and on which day is searched, and what is found. */
function useSearch({ minutes, instructorId, level, startsOn, startsWith = '' }: FreeTimesProps) {
  const today = useToday();
  const { timezone } = useMe().account;
  const { data: all = [], error, isPending } = useInstructorChoice(instructorId ?? startsWith);
  const isAtFirst = ({ id }: ListedInstructor) => !startsWith || id === startsWith;
  const isTaught = level && all.some((each) => isAtFirst(each) && each.levels_taught.includes(level));
  const [chosen, setChosen] = useState<Partial<Filters>>({ instructor: startsWith });
  const [shown, setShown] = useState<{ from: string; day: string } | null>(null);
  const filters: Filters = { part: '', level: isTaught ? level : '', pool: '', instructor: '', ...chosen };
  const found = instructorId ? all.filter(({ id }) => id === instructorId) : matching(all, filters);
  const wanted = { minutes, instructors: found };
  const earliest = startsOn && startsOn > today ? startsOn : today;
  const first = useFirstFree(wanted, earliest);
  const soonest = { data: first.data, error: error ?? first.error, isPending: first.isPending };
  const firstDay = first.data ? wallClockAt(first.data.date, timezone).date : null;
  const day = shown?.day ?? firstDay;
  const times = useFreeTimes(wanted, day);
  const rows = found.flatMap((instructor) => {
    const slots = times.rows?.filter(
      ({ instructor_id: id, date }) =>
        id === instructor.id &&
        (filters.part === '' || partOf(wallClockAt(date, instructor.timezone).time) === filters.part),
    );
    return slots && slots.length > 0 ? [{ instructor, slots }] : [];
  });
  const change = (changes: Partial<Filters>) => setChosen({ ...chosen, ...changes });
  const from = shown?.from ?? day ?? earliest;
  // Nobody is searched where the filters leave no instructor.
  const isSearched = found.length > 0 || isPending || error !== null;
  return { all, filters, change, soonest, day, times, rows, today, from, setShown, isSearched };
}

/** Free times, day by day, of which one is picked. */
export function FreeTimes(props: FreeTimesProps) {
  const { instructorId, picked, onPick } = props;
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const { all, filters, change, soonest, day, times, rows, today, from, setShown, isSearched } = useSearch(props);
  const schools = useSchoolNames(kind === 'family' ? rows.map(({ instructor }) => instructor.account_id) : []);
  const nothing = (
    <Empty title={t(isSearched && day === null ? 'free.noneSoon' : 'free.none')}>
      {t(`free.noneText.${instructorId ? 'instructor' : kind}`)}
    </Empty>
  );
  const found = { data: times.rows, error: times.error, isPending: times.isPending };
  return (
    <div className="free-times">
      {!instructorId && <FilterFields filters={filters} instructors={all} onChange={change} />}
      <Days from={from} day={day ?? ''} today={today} onChange={(next, on) => setShown({ from: next, day: on })} />
      {!isSearched && nothing}
      {isSearched && day === null && <Shown query={soonest}>{() => nothing}</Shown>}
      {isSearched && day !== null && (
        <Shown query={found}>
          {() =>
            rows.length === 0
              ? nothing
              : rows.map((row) => (
                  <Row
                    key={row.instructor.id}
                    {...row}
                    school={schools.get(row.instructor.account_id)}
                    picked={picked}
                    onPick={onPick}
                  />
                ))
          }
        </Shown>
      )}
      {times.hasNextPage && (
        <Button isPending={times.isFetchingNextPage} onPress={() => void times.fetchNextPage()}>
          {t('action.more')}
        </Button>
      )}
    </div>
  );
}

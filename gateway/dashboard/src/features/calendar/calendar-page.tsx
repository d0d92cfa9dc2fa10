import type { ListedInstructor, Lesson as StoredLesson } from '@swim/sdk';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useNow } from '../../api/clock.ts';
import type { LiveState } from '../../api/live-events.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useMemberNamesQuery } from '../../api/names.ts';
import { Icon } from '../../design/icon.tsx';
import { LiveMark } from '../../design/live-mark.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Loading, Page } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useClosures, useLessons, useLiveCalendar, useSchool } from './calendar-data.ts';
import { useView, type View } from './calendar-view.ts';
import { Dialogs, type Opened } from './dialogs/dialogs.tsx';
import { withClosed } from './layout/closed.ts';
import { dateIn, dateOf, minutesOfDay, type Period, periodAround } from './layout/days.ts';
import { dayWidthOf, type Geometry, isoOf, type Spot } from './layout/geometry.ts';
import {
  hoursOf,
  instructorRows,
  type Lesson,
  laneRows,
  lessonsOf,
  listed,
  publishedOn,
  type Row,
} from './layout/layout.ts';
import { withOutside } from './layout/outside.ts';
import { hourWidthOf, listWidthOf } from './layout/zoom.ts';
import { Legend } from './legend.tsx';
import { Timeline } from './timeline.tsx';
import { Toolbar } from './toolbar.tsx';
import type { Drop } from './use-drag.ts';
import './calendar.css';

const NO_LESSONS: readonly StoredLesson[] = [];

/** In which pools each of these instructors teaches. */
const poolsIn = (instructors: readonly ListedInstructor[]) => (id: string) =>
  instructors.find((each) => each.id === id)?.service_areas.flatMap(({ pool_ids: ids }) => ids ?? []) ?? [];

const NO_INSTRUCTORS: readonly ListedInstructor[] = [];

/** How days and hours of a period become pixels: the hours are those of lessons, and those that instructors publish. */
function useGeometry(
  { zoom, windowWidth, namesWidth }: View,
  { days }: Period,
  lessons: readonly Lesson[],
  instructors: readonly ListedInstructor[],
): Geometry {
  const { timezone: timeZone } = useMe().account;
  const hours = useMemo(
    () => hoursOf([...lessons, ...publishedOn(days, instructors, timeZone)]),
    [lessons, days, instructors, timeZone],
  );
  const hourWidth = zoom && hourWidthOf(zoom, hours);
  return useMemo(() => {
    const axis = hourWidth === null ? null : { hours, hourWidth };
    const dayWidth = axis ? dayWidthOf(axis) : listWidthOf(windowWidth);
    return { days, axis, dayWidth, namesWidth, timeZone };
  }, [days, hours, hourWidth, windowWidth, namesWidth, timeZone]);
}

function useWall(view: View) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const isListed = view.zoom === null;
  const period = useMemo(() => periodAround(dateOf(view.date)!, view.span, timezone), [view.date, view.span, timezone]);
  const stored = useLessons(period);
  const closures = useClosures(period);
  const school = useSchool();
  const memberIds = (stored.data ?? NO_LESSONS).flatMap(({ sessions }) => sessions.map(({ member_id: id }) => id));
  const { names, isPending } = useMemberNamesQuery(memberIds);
  // Hundreds of lessons are drawn once, with their names, and not twice.
  const isNamed = !isPending || memberIds.some((id) => names.has(id));
  const shown = isNamed ? stored.data : undefined;
  const lessons = useMemo(() => lessonsOf(shown ?? NO_LESSONS, period.days, timezone), [shown, period, timezone]);
  const rows = useMemo<readonly Row[]>(() => {
    const { instructors = [], pools = [] } = school.data ?? {};
    const made =
      view.rows === 'lanes'
        ? laneRows(lessons, pools, (lane) => t('calendar.lane', { lane }))
        : instructorRows(lessons, instructors, t('calendar.unknownInstructor'));
    const on = { days: period.days, timeZone: timezone, instructors, poolsOf: poolsIn(instructors) };
    return withOutside(withClosed(isListed ? listed(made) : made, closures, on), on);
  }, [school.data, lessons, closures, period, timezone, view.rows, isListed, t]);
  const geometry = useGeometry(view, period, lessons, school.data?.instructors ?? NO_INSTRUCTORS);
  const error = stored.error ?? school.error;
  return {
    period,
    geometry,
    rows,
    names,
    school,
    error,
    isPending: stored.isPending || !isNamed || school.isPending,
  };
}

function nowIn({ days, timeZone }: Geometry, nowMs: number): Spot | null {
  const today = dateIn(nowMs, timeZone);
  const day = days.findIndex((each) => each.compare(today) === 0);
  return day < 0 ? null : { day, minutes: minutesOfDay(nowMs, timeZone) };
}

function Nobody({ rows }: { rows: View['rows'] }) {
  const { t } = useLanguage();
  const next = (
    <Link href={rows === 'lanes' ? '/pools' : '/instructors'} className="button button-primary">
      {t(`calendar.next.${rows}`)}
    </Link>
  );
  return (
    <Empty title={t(`calendar.empty.${rows}`)} action={next}>
      {t(`calendar.emptyText.${rows}`)}
    </Empty>
  );
}

function Actions({ live, date }: { live: LiveState; date: string }) {
  const { t } = useLanguage();
  const can = useScopes();
  return (
    <>
      <LiveMark state={live} />
      {can('bookings:write') && (
        <Link href={`/bookings/new?date=${date}`} className="button button-secondary">
          {t('bookings.new')}
        </Link>
      )}
      {can('sessions:write') && (
        <Link href={`/lessons/new?date=${date}`} className="button button-primary">
          <Icon name="plus" /> {t('lessons.new')}
        </Link>
      )}
    </>
  );
}

/** All lessons of the school's instructors, day by day or week by week; `banner` is above them. */
export default function CalendarPage({ banner }: { banner?: ReactNode }) {
  const { t } = useLanguage();
  const nowMs = useNow();
  const [view, change] = useView(nowMs);
  const [opened, setOpened] = useState<Opened>(null);
  const live = useLiveCalendar();
  const { period, geometry, rows, names, school, error, isPending } = useWall(view);
  const canWrite = useScopes()('sessions:write');
  const instructors = school.data?.instructors ?? [];
  const [, navigate] = useLocation();
  const drop = ({ lesson, spot, rowKey }: Drop) => {
    const instructorId = view.rows === 'instructors' ? rowKey : lesson.instructorId;
    setOpened({ dialog: 'move', lesson: lesson.stored, target: { date: isoOf(geometry, spot), instructorId } });
  };
  const add = (spot: Spot, { resourceId }: Row) => {
    const at = isoOf(geometry, spot);
    if (view.rows === 'lanes') navigate(`/lessons/new?${new URLSearchParams({ at, pool: resourceId })}`);
    else navigate(`/bookings/new?${new URLSearchParams({ at, instructor: resourceId })}`);
  };
  return (
    <Page title={t('nav.calendar')} isWide actions={<Actions live={live} date={view.date} />}>
      {banner}
      <Toolbar view={view} days={period.days} today={dateIn(nowMs, geometry.timeZone)} onChange={change} />
      <ErrorNotice error={error} />
      {isPending && <Loading />}
      {!isPending && rows.length === 0 && <Nobody rows={view.rows} />}
      {rows.length > 0 && (
        <Timeline
          rows={rows}
          geometry={geometry}
          date={view.date}
          names={names}
          now={nowIn(geometry, nowMs)}
          onDrop={canWrite ? drop : undefined}
          onAdd={canWrite ? add : undefined}
          onOpen={(lesson) => setOpened({ dialog: 'lesson', lesson })}
        />
      )}
      {rows.length > 0 && <Legend canMove={canWrite} />}
      <Dialogs opened={opened} onOpen={setOpened} instructors={instructors} names={names} nowMs={nowMs} />
    </Page>
  );
}

import type { Session } from '@swim/sdk';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useNow } from '../../api/clock.ts';
import type { LiveState } from '../../api/live-events.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useMemberNamesQuery } from '../../api/names.ts';
import { Icon } from '../../design/icon.tsx';
import { LiveMark } from '../../design/live-mark.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Loading, Page } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useLiveCalendar, useSchool, useSessions } from './calendar-data.ts';
import { useView, type View } from './calendar-view.ts';
import { Dialogs, type Opened } from './dialogs/dialogs.tsx';
import { dateIn, dateOf, minutesOfDay, periodAround } from './layout/days.ts';
import { dayWidthOf, type Geometry, isoOf, type Spot } from './layout/geometry.ts';
import { hoursOf, instructorRows, laneRows, lessonsOf, listed, publishedOn, type Row } from './layout/layout.ts';
import { hourWidthOf, listWidthOf } from './layout/zoom.ts';
import { Legend } from './legend.tsx';
import { Timeline } from './timeline.tsx';
import { Toolbar } from './toolbar.tsx';
import type { Drop } from './use-drag.ts';
import './calendar.css';

const NO_SESSIONS: readonly Session[] = [];

function useWall(view: View) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const { namesWidth, windowWidth } = view;
  const isListed = view.zoom === null;
  const period = useMemo(() => periodAround(dateOf(view.date)!, view.span, timezone), [view.date, view.span, timezone]);
  const sessions = useSessions(period);
  const school = useSchool();
  const memberIds = (sessions.data ?? NO_SESSIONS).map(({ member_id: id }) => id);
  const { names, isPending } = useMemberNamesQuery(memberIds);
  // Hundreds of lessons are drawn once, with their names, and not twice.
  const isNamed = !isPending || memberIds.some((id) => names.has(id));
  const shown = isNamed ? sessions.data : undefined;
  const lessons = useMemo(() => lessonsOf(shown ?? NO_SESSIONS, period.days, timezone), [shown, period, timezone]);
  const rows = useMemo<readonly Row[]>(() => {
    const { instructors = [], pools = [] } = school.data ?? {};
    const made =
      view.rows === 'lanes'
        ? laneRows(lessons, pools, (lane) => t('calendar.lane', { lane }))
        : instructorRows(lessons, instructors, t('calendar.unknownInstructor'));
    return isListed ? listed(made) : made;
  }, [school.data, lessons, view.rows, isListed, t]);
  const hours = useMemo(
    () => hoursOf([...lessons, ...publishedOn(period.days, school.data?.instructors ?? [], timezone)]),
    [lessons, period, school.data, timezone],
  );
  const hourWidth = view.zoom && hourWidthOf(view.zoom, hours);
  const geometry = useMemo<Geometry>(() => {
    const axis = hourWidth === null ? null : { hours, hourWidth };
    const dayWidth = axis ? dayWidthOf(axis) : listWidthOf(windowWidth);
    return { days: period.days, axis, dayWidth, namesWidth, timeZone: timezone };
  }, [period, hours, hourWidth, windowWidth, namesWidth, timezone]);
  const error = sessions.error ?? school.error;
  return {
    period,
    geometry,
    rows,
    names,
    school,
    error,
    isPending: sessions.isPending || !isNamed || school.isPending,
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
  const canBook = useScopes()('bookings:write');
  return (
    <>
      <LiveMark state={live} />
      {canBook && (
        <Link href={`/bookings/new?date=${date}`} className="button button-primary">
          <Icon name="plus" /> {t('bookings.new')}
        </Link>
      )}
    </>
  );
}

/** All lessons of the school's instructors, day by day or week by week. */
export default function CalendarPage() {
  const { t } = useLanguage();
  const nowMs = useNow();
  const [view, change] = useView(nowMs);
  const [opened, setOpened] = useState<Opened>(null);
  const live = useLiveCalendar();
  const { period, geometry, rows, names, school, error, isPending } = useWall(view);
  const canWrite = useScopes()('sessions:write');
  const instructors = school.data?.instructors ?? [];
  const drop = ({ lesson, spot, rowKey }: Drop) => {
    const [session] = lesson.sessions as [Session];
    const instructorId = view.rows === 'instructors' ? rowKey : session.instructor_id;
    setOpened({ dialog: 'move', session, target: { date: isoOf(geometry, spot), instructorId } });
  };
  return (
    <Page title={t('nav.calendar')} isWide actions={<Actions live={live} date={view.date} />}>
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
          onOpen={(lesson) => setOpened({ dialog: 'lesson', lesson })}
        />
      )}
      {rows.length > 0 && <Legend canMove={canWrite} />}
      <Dialogs opened={opened} onOpen={setOpened} instructors={instructors} names={names} nowMs={nowMs} />
    </Page>
  );
}

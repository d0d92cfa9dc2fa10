import { parseDate } from '@internationalized/date';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useClockOffset, useKnowsNow } from '../../api/clock.ts';
import { useEnvironment } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, useInstructorZone } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Choice } from '../../design/fields/fields.tsx';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Empty, Loading, Page, Shown } from '../../design/page.tsx';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { Day } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { MarkSender, SenderState } from './mark-sender.ts';
import { instantAfter } from './marks.ts';
import { type Note, Roll } from './roll.tsx';
import { useMarkSender, useRoster } from './today.ts';
import './today.css';

const TICK_MS = 10_000;

/** The present of the account, which goes on while the page is open. */
function useTickingNow(): { nowMs: number; offsetMs: number } {
  const offsetMs = useClockOffset();
  const [deviceMs, setDeviceMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setDeviceMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return { nowMs: deviceMs + offsetMs, offsetMs };
}

/** Whose lessons are shown: the one chosen on this device before, else the only one. */
function useInstructor(instructors: readonly { readonly id: string }[]) {
  const key = `swim-today-${useEnvironment()}`;
  const [chosen, setChosen] = useState(() => localStorage.getItem(key) ?? '');
  const only = instructors.length === 1 ? instructors[0]!.id : '';
  const instructor = instructors.some(({ id }) => id === chosen) ? chosen : only;
  const choose = (id: string) => {
    localStorage.setItem(key, id);
    setChosen(id);
  };
  return [instructor, choose] as const;
}

function Days({ date, today }: { date: string; today: string }) {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const go = (next: string) => navigate(next === today ? '/today' : `/today?date=${next}`, { replace: true });
  const by = (days: number) => go(parseDate(date).add({ days }).toString());
  return (
    <div className="row">
      <Button aria-label={t('calendar.previous')} onPress={() => by(-1)}>
        <Icon name="previous" />
      </Button>
      <strong aria-live="polite">
        <Day date={date} hasWeekday />
      </strong>
      <Button aria-label={t('calendar.next')} onPress={() => by(1)}>
        <Icon name="next" />
      </Button>
      {date !== today && <Button onPress={() => go(today)}>{t('calendar.today')}</Button>}
    </div>
  );
}

/** How many marks could not be sent, and why; above the end of the page, so that no row moves. */
function Unsent({ sender, state }: { sender: MarkSender; state: SenderState }) {
  const { t } = useLanguage();
  if (state.marks.length === 0 || !state.error) return null;
  return (
    <div className="today-unsent">
      <Notice kind="warning">
        <span className="row">
          {t('today.waiting', { count: state.marks.length })}
          <Button small onPress={() => void sender.flush()}>
            {t('today.send')}
          </Button>
        </span>
        {navigator.onLine && <ErrorNotice error={state.error} />}
      </Notice>
    </div>
  );
}

function Rolls({ instructor, date }: { instructor: string; date: string }) {
  const { t } = useLanguage();
  const isTeacher = useMe().user.instructor_id !== null;
  const canWrite = useScopes()('sessions:write') || isTeacher;
  const roster = useRoster(instructor, date);
  const { sender, state } = useMarkSender();
  const { nowMs, offsetMs } = useTickingNow();
  // An instructor in a sandbox whose clock was advanced: the answer to a mark says whether its lesson has begun.
  const begunMs = useKnowsNow() ? nowMs : Number.POSITIVE_INFINITY;
  const note: Note = (lesson, entries) => {
    const recordedAt = instantAfter(Date.now() + offsetMs, state.marks.at(-1)?.recordedAt);
    sender.add(
      entries.map(([{ session_id: sessionId }, attendance]) => ({
        lessonId: lesson.id,
        sessionId,
        attendance,
        recordedAt,
      })),
    );
  };
  return (
    <>
      <Shown query={roster}>
        {({ lessons, timezone }) =>
          lessons.length === 0 ? (
            <Empty title={t('today.none')} />
          ) : (
            lessons.map((lesson) => (
              <Roll
                key={lesson.id}
                lesson={lesson}
                timeZone={timezone}
                nowMs={begunMs}
                state={state}
                onNote={canWrite ? note : undefined}
              />
            ))
          )
        }
      </Shown>
      <Unsent sender={sender} state={state} />
    </>
  );
}

/** The day of the address, and today, in a zone. */
function useDay(timeZone: string): { date: string; today: string } {
  const [params] = useSearchParams();
  const { nowMs } = useTickingNow();
  const today = wallClockAt(new Date(nowMs).toISOString(), timeZone).date;
  const asked = params.get('date');
  return { today, date: asked && /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : today };
}

/** The day of the instructor that the user is, in the zone of the roster. */
function OwnDay({ instructor }: { instructor: string }) {
  const { t } = useLanguage();
  const { account } = useMe();
  const day = useDay(account.timezone);
  return (
    <Page title={t('nav.today')}>
      <div className="stack today">
        <Days {...day} />
        <Rolls instructor={instructor} date={day.date} />
      </div>
    </Page>
  );
}

/** The days of the instructors of the school. */
function Office() {
  const { t } = useLanguage();
  const { data: instructors, error } = useInstructorChoice();
  const [instructor, choose] = useInstructor(instructors ?? []);
  const { date, today } = useDay(useInstructorZone(instructor));
  const choices = (instructors ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page title={t('nav.today')}>
      <ErrorNotice error={error} />
      {!instructors && !error && <Loading />}
      {instructors?.length === 0 && (
        <Empty
          title={t('calendar.empty.instructors')}
          action={
            <Link href="/instructors" className="button button-primary">
              {t('calendar.next.instructors')}
            </Link>
          }
        />
      )}
      {choices.length > 0 && (
        <div className="stack today">
          <Choice
            label={t('bookings.instructor')}
            value={instructor}
            onChange={choose}
            options={instructor ? choices : [{ value: '', label: t('today.choose') }, ...choices]}
          />
          <Days date={date} today={today} />
          {instructor && <Rolls instructor={instructor} date={date} />}
        </div>
      )}
    </Page>
  );
}

/** The lessons of an instructor's day, at the poolside: who takes part, and who came. */
export default function TodayPage() {
  const { instructor_id: own } = useMe().user;
  return own ? <OwnDay instructor={own} /> : <Office />;
}

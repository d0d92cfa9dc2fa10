import type { Lesson } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useNow } from '../../api/clock.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, useInstructorZone } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Waiting } from '../../design/lessons/waiting.tsx';
import { LiveMark } from '../../design/live-mark.tsx';
import { Loading, Page, Section, Shown } from '../../design/page.tsx';
import { instantText } from '../../design/values/instant-text.ts';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { useLanguage } from '../../texts/language.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { LessonFacts } from './lesson-facts.tsx';
import { useLesson } from './lessons.ts';
import { AddMember } from './participants/add-member.tsx';
import { Roster } from './participants/roster.tsx';

type Opened = 'edit' | 'cancel' | null;

/** The address of the page that has somebody else teach a lesson. */
const substitutionOf = ({ instructor_id: instructor, date: from, end_date: to }: Lesson): string =>
  `/substitutions/new?${new URLSearchParams({ instructor, from, to })}`;

interface ActionsProps {
  readonly lesson: Lesson;
  readonly onOpen: (opened: Opened) => void;
}

function Actions({ lesson, onOpen }: ActionsProps) {
  const { t } = useLanguage();
  if (lesson.status !== 'scheduled') return null;
  return (
    <>
      <Button onPress={() => onOpen('edit')}>{t('lessons.edit')}</Button>
      <Link href={substitutionOf(lesson)} className="button button-secondary">
        {t('substitutions.new')}
      </Link>
      <Button onPress={() => onOpen('cancel')}>{t('lessons.cancel')}</Button>
    </>
  );
}

interface PartsProps {
  readonly lesson: Lesson;
  readonly nowMs: number;
}

/** Who takes part, for the school of the lesson. */
function Participants({ lesson, nowMs }: PartsProps) {
  const { t } = useLanguage();
  const can = useScopes();
  const day = wallClockAt(lesson.date, useInstructorZone(lesson.instructor_id)).date;
  const isZoneKnown = !useInstructorChoice(lesson.instructor_id).isPending;
  if (lesson.status === 'cancelled') return null;
  if (!isZoneKnown) return <Loading />;
  const mayAdd = lesson.status === 'scheduled' && can('bookings:write') && can('members:read');
  return (
    <Section title={t('lessons.roster')} lead={t('lessons.placesLeft', { count: lesson.places_left })}>
      <div className="stack">
        <Roster lesson={lesson} day={day} hasBegun={Date.parse(lesson.date) <= nowMs} />
        {mayAdd && <AddMember lesson={lesson} day={day} />}
      </div>
    </Section>
  );
}

/** One lesson: what it is, who takes part, and what the school can change of both. */
export default function LessonPage() {
  const { t, tag } = useLanguage();
  const { lessonId } = useParams<{ lessonId: string }>();
  const { account } = useMe();
  const can = useScopes();
  const nowMs = useNow();
  const query = useLesson(lessonId);
  const [opened, setOpened] = useState<Opened>(null);
  const lesson = query.data;
  const isOwn = lesson?.account_id === account.id;
  const close = () => setOpened(null);
  const actions: ReactNode = (
    <>
      <LiveMark state={query.live} />
      {isOwn && can('sessions:write') && <Actions lesson={lesson} onOpen={setOpened} />}
    </>
  );
  return (
    <Page
      title={lesson ? instantText(lesson.date, tag, account.timezone) : t('calendar.lesson')}
      lead={<Link href="/calendar">{t('nav.calendar')}</Link>}
      actions={actions}
    >
      <Shown query={query}>
        {(data) => (
          <>
            <LessonFacts lesson={data} timeZone={account.timezone} />
            {isOwn && <Participants lesson={data} nowMs={nowMs} />}
            {isOwn && <Waiting of={{ lesson_id: data.id }} lead={t('lessons.lineLead')} />}
            {opened === 'edit' && <EditDialog lesson={data} onClose={close} />}
            {opened === 'cancel' && <CancelDialog lesson={data} onClose={close} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

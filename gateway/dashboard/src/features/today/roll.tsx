import type { Roster } from '@swim/sdk';
import { Link } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Badge, type Tone } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { SenderState } from './mark-sender.ts';
import { type Attendance, nextOf, type Pupil } from './marks.ts';

type RosterLesson = Roster['lessons'][number];

const TONES: Readonly<Record<Attendance, Tone>> = {
  pending: 'warning',
  attended: 'success',
  no_show: 'danger',
  excused: 'accent',
};

/** What a tap changes. */
export type Note = (lesson: RosterLesson, entries: readonly (readonly [Pupil, Attendance])[]) => void;

interface RollProps {
  readonly lesson: RosterLesson;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly state: SenderState;
  /** Absent for those who may only read. */
  readonly onNote: Note | undefined;
}

/** What must be known of a child before it goes into the water. */
function Care({ pupil }: { pupil: Pupil }) {
  const { t } = useLanguage();
  const { has_medical_notes: hasNotes, medical_notes: notes, emergency_contact: contact } = pupil;
  return (
    <>
      {hasNotes && <p className="roll-medical">{notes ?? t('today.hasNotes')}</p>}
      {contact && (
        <a className="roll-call" href={`tel:${contact.phone}`}>
          {t('today.call', { name: `${contact.name} (${contact.relationship})` })}
        </a>
      )}
    </>
  );
}

interface ChildProps {
  readonly pupil: Pupil;
  readonly attendance: Attendance;
  readonly isUnsent: boolean;
  /** Whether the lesson has begun: who is not recorded then is missing. */
  readonly hasBegun: boolean;
  readonly rejected: string | undefined;
  /** Absent while nothing can be recorded. */
  readonly onTap: (() => void) | undefined;
}

function Child({ pupil, attendance, isUnsent, hasBegun, rejected, onTap }: ChildProps) {
  const { t, named } = useLanguage();
  const tone = attendance === 'pending' && !hasBegun ? 'neutral' : TONES[attendance];
  const { name, age_years: age, swimming_level: level } = pupil;
  const about = [age === null ? '' : t('today.years', { count: age }), level ? t(`level.${level}`) : ''];
  return (
    <li className="roll-child" data-attendance={hasBegun ? attendance : undefined} data-unsent={isUnsent || undefined}>
      <button type="button" className="roll-tap" disabled={!onTap} onClick={onTap}>
        <span className="stack-tight">
          <span className="row">
            <strong>{name ?? t('calendar.someone')}</strong>
            {pupil.first_lesson_with_school && <Badge tone="accent">{t('lessons.first')}</Badge>}
          </span>
          <span className="hint">{about.filter(Boolean).join(' · ')}</span>
        </span>
        <span className="roll-state">
          <Badge tone={isUnsent ? 'warning' : tone}>{t(`attendance.${attendance}`)}</Badge>
          {isUnsent && <span className="roll-unsent">{t('today.unsent')}</span>}
        </span>
      </button>
      {rejected && <p className="field-error">{named('today.rejected', rejected)}</p>}
      <Care pupil={pupil} />
    </li>
  );
}

function useTitle({ date, end_date: end }: RosterLesson, timeZone: string): string {
  const { tag } = useLanguage();
  const format = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone });
  return format.formatRange(new Date(date), new Date(end));
}

/** The roll of a lesson: a tap on a child says that it came, another one that it did not. */
export function Roll({ lesson, timeZone, nowMs, state, onNote }: RollProps) {
  const { t } = useLanguage();
  const title = useTitle(lesson, timeZone);
  const canOpen = useScopes()('sessions:read');
  const taken = t('lessons.taken', { count: lesson.sessions.length, capacity: lesson.capacity });
  const hasBegun = Date.parse(lesson.date) <= nowMs;
  const unsent = new Map(state.marks.map(({ sessionId, attendance }) => [sessionId, attendance]));
  const attendanceOf = (pupil: Pupil) => unsent.get(pupil.session_id) ?? pupil.attendance;
  const waiting = lesson.sessions.filter((pupil) => attendanceOf(pupil) === 'pending');
  const note = hasBegun ? onNote : undefined;
  // It stays in its place: rows that moved under a finger would be tapped in place of others.
  const allPresent = onNote && lesson.sessions.length > 0 && (
    <Button
      kind="primary"
      isDisabled={!note || waiting.length === 0}
      onPress={() =>
        note?.(
          lesson,
          waiting.map((pupil) => [pupil, 'attended']),
        )
      }
    >
      {t('today.allPresent')}
    </Button>
  );
  return (
    <Section
      title={title}
      lead={canOpen ? <Link href={`/lessons/${lesson.id}`}>{taken}</Link> : taken}
      actions={allPresent}
    >
      {!hasBegun && onNote && <p className="hint">{t('today.notBegun')}</p>}
      {lesson.sessions.length === 0 && <p className="hint">{t('lessons.nobody')}</p>}
      <ul className="plain-list roll">
        {lesson.sessions.map((pupil) => (
          <Child
            key={pupil.session_id}
            pupil={pupil}
            attendance={attendanceOf(pupil)}
            isUnsent={unsent.has(pupil.session_id)}
            hasBegun={hasBegun}
            rejected={state.rejected.get(pupil.session_id)}
            onTap={note && (() => note(lesson, [[pupil, nextOf(attendanceOf(pupil))]]))}
          />
        ))}
      </ul>
    </Section>
  );
}

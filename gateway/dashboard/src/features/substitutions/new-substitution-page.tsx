import type { CreateSubstitution } from '@swim/sdk';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, useInstructorZone } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox, Choice } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { WallClockFields } from '../../design/fields/wall-clock-fields.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Loading, Page } from '../../design/page.tsx';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { bodyOf, type SubstitutionValues } from './substitution-body.ts';
import { type Skipped, skippedOf, useLessonsById, useSubstitute, useSubstitutionPreview } from './substitutions.ts';

/** The lessons that stay with their instructor, and why. */
function NotTaken({ skipped, timeZone }: { skipped: Skipped; timeZone: string }) {
  const { t, named, rejected } = useLanguage();
  const lessons = useLessonsById(skipped.map(({ lesson_id: id }) => id));
  if (skipped.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>{t('substitutions.skipped', { count: skipped.length })}</p>
      <ul className="plain-list stack-tight">
        {skipped.map(({ lesson_id: id, reason }) => {
          const lesson = lessons.get(id);
          return (
            <li key={id}>
              <Link href={`/lessons/${id}`}>
                {lesson ? <Instant at={lesson.date} timeZone={timeZone} /> : t('calendar.lesson')}
              </Link>
              : {rejected({ reason, message: named('substitutions.reason', reason) })}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

interface OutcomeProps {
  readonly outcome: CreateSubstitution;
  readonly timeZone: string;
  readonly isDone: boolean;
}

function Outcome({ outcome: { moved, skipped }, timeZone, isDone }: OutcomeProps) {
  const { t } = useLanguage();
  const count = moved.length;
  return (
    <>
      {count > 0 && (
        <Notice kind="success">{t(isDone ? 'substitutions.done' : 'substitutions.preview', { count })}</Notice>
      )}
      {count + skipped.length === 0 && <Notice>{t('substitutions.nothing')}</Notice>}
      <NotTaken skipped={skipped} timeZone={timeZone} />
    </>
  );
}

interface FieldsProps {
  readonly values: SubstitutionValues;
  readonly set: (changes: Partial<SubstitutionValues>) => void;
  readonly timeZone: string;
  readonly error: unknown;
}

function Fields({ values, set, timeZone, error }: FieldsProps) {
  const { t } = useLanguage();
  const { data: instructors = [] } = useInstructorChoice();
  const choices = [{ id: '', name: '–' }, ...instructors].map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <div className="columns">
        <Choice
          label={t('substitutions.absent')}
          value={values.instructor}
          onChange={(instructor) => set({ instructor })}
          options={choices}
        />
        <Choice
          label={t('substitutions.substitute')}
          value={values.substitute}
          onChange={(substitute) => set({ substitute })}
          options={choices.filter(({ value }) => value === '' || value !== values.instructor)}
        />
      </div>
      {(['from', 'to'] as const).map((edge) => (
        <div key={edge} className="columns">
          <WallClockFields
            dateLabel={t(`substitutions.${edge}`)}
            timeLabel={t(`substitutions.${edge}Time`)}
            value={values[edge]}
            onChange={(next) => set({ [edge]: next })}
            timeZone={timeZone}
            error={fieldErrorOf(error, edge)}
          />
        </div>
      ))}
      <Checkbox isSelected={values.skips} onChange={(skips) => set({ skips })}>
        {t('substitutions.skip')}
      </Checkbox>
    </>
  );
}

function SubstitutionForm({ start }: { start: SubstitutionValues }) {
  const { t } = useLanguage();
  const substitute = useSubstitute();
  const [done, setDone] = useState<CreateSubstitution | null>(null);
  const form = useForm(start, (sent) => {
    const body = bodyOf(sent, timeZone);
    if (body) substitute.mutate(body, { onSuccess: setDone });
  });
  const { values, submit } = form;
  const timeZone = useInstructorZone(values.instructor);
  const preview = useSubstitutionPreview(done ? null : bodyOf(values, timeZone));
  const set = (changes: Partial<SubstitutionValues>) => {
    substitute.reset();
    setDone(null);
    form.set(changes);
  };
  const error = substitute.error ?? preview.error;
  const outcome = done ?? preview.data;
  const mayHandOver = !done && (preview.data?.moved.length ?? 0) > 0;
  return (
    <form className="card stack" onSubmit={submit}>
      <Fields values={values} set={set} timeZone={timeZone} error={error} />
      <div className="stack-tight" aria-live="polite">
        {preview.isPending && <Loading />}
        <ErrorNotice error={error} />
        <NotTaken skipped={skippedOf(error)} timeZone={timeZone} />
        {outcome && <Outcome outcome={outcome} timeZone={timeZone} isDone={done !== null} />}
      </div>
      <div>
        <Button kind="primary" type="submit" isPending={substitute.isPending} isDisabled={!mayHandOver}>
          {t('substitutions.handOver')}
        </Button>
      </div>
    </form>
  );
}

/** The form at first: what the address says, as the pages of an instructor and of a lesson do. */
function useStart(): SubstitutionValues {
  const { account } = useMe();
  const [params] = useSearchParams();
  const { data: instructors = [] } = useInstructorChoice();
  const instructor = params.get('instructor') ?? '';
  const timeZone = instructors.find(({ id }) => id === instructor)?.timezone ?? account.timezone;
  const clockAt = (name: string, time: string) => {
    const at = params.get(name);
    return at !== null && !Number.isNaN(Date.parse(at)) ? wallClockAt(at, timeZone) : { date: '', time };
  };
  return { instructor, substitute: '', from: clockAt('from', '00:00'), to: clockAt('to', '23:59'), skips: false };
}

/** Has another instructor teach the lessons of a time; which of them cannot be taken over is shown before. */
export default function NewSubstitutionPage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const { data: instructors, error } = useInstructorChoice();
  const start = useStart();
  return (
    <Page title={t('substitutions.title')} lead={<Link href="/calendar">{t('nav.calendar')}</Link>}>
      <ErrorNotice error={error} />
      {!canWrite && <p className="hint">{t('role.needed')}</p>}
      {canWrite && !instructors && !error && <Loading />}
      {canWrite && instructors && <SubstitutionForm start={start} />}
    </Page>
  );
}

import { Link, useLocation, useSearchParams } from 'wouter';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, useInstructorCurrency, useInstructorZone } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { Loading, Page } from '../../design/page.tsx';
import { USUAL_TEACHING } from '../../design/teaching/teaching.ts';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { useLanguage } from '../../texts/language.tsx';
import { bodyOf, type LessonValues } from './lesson-body.ts';
import { LessonFields } from './lesson-fields.tsx';
import { useCreateLesson } from './lessons.ts';
import { Verdict } from './verdict.tsx';

function LessonForm({ start }: { start: LessonValues }) {
  const { t } = useLanguage();
  const client = useClient();
  const create = useCreateLesson();
  const [, navigate] = useLocation();
  const form = useForm(start, (sent) => {
    const body = bodyOf(sent, { timeZone, currency });
    if (body) create.mutate(body, { onSuccess: ({ id }) => navigate(`/lessons/${id}`) });
  });
  const { values, submit } = form;
  const timeZone = useInstructorZone(values.instructor);
  const currency = useInstructorCurrency(values.instructor);
  const body = bodyOf(values, { timeZone, currency });
  const preview = useDryRun('new-lesson', body, (complete, options) => client.lessons.create(complete, options));
  const set = (changes: Partial<LessonValues>) => {
    create.reset();
    form.set(changes);
  };
  const part = { values, set, timeZone };
  return (
    <form className="card stack lesson-form" onSubmit={submit}>
      <LessonFields {...part} currency={currency} error={create.error ?? preview.error} />
      <Verdict {...part} preview={preview} />
      <ErrorNotice error={create.error} />
      <div>
        <Button kind="primary" type="submit" isPending={create.isPending} isDisabled={preview.data === undefined}>
          {t('lessons.create')}
        </Button>
      </div>
    </form>
  );
}

/** The form at first: what the address says, as a click on an empty hour of the calendar does, and what most lessons are. */
function useStart(instructors: readonly { readonly id: string; readonly timezone: string }[]): LessonValues {
  const { account } = useMe();
  const [params] = useSearchParams();
  const only = instructors.length === 1 ? instructors[0]!.id : '';
  const instructor = params.get('instructor') ?? only;
  const timeZone = instructors.find(({ id }) => id === instructor)?.timezone ?? account.timezone;
  const at = params.get('at');
  const isInstant = at !== null && !Number.isNaN(Date.parse(at));
  return {
    ...USUAL_TEACHING,
    instructor,
    pool: params.get('pool') ?? '',
    ...(isInstant ? wallClockAt(at, timeZone) : { date: params.get('date') ?? '', time: '' }),
    bookable: true,
    outsideHours: false,
  };
}

/** Makes a lesson whose places families can book; whether its time is free is shown before. */
export default function NewLessonPage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const { data: instructors, error } = useInstructorChoice();
  const start = useStart(instructors ?? []);
  return (
    <Page title={t('lessons.new')} lead={<Link href="/calendar">{t('nav.calendar')}</Link>}>
      <ErrorNotice error={error} />
      {!canWrite && <p className="hint">{t('role.needed')}</p>}
      {canWrite && !instructors && !error && <Loading />}
      {canWrite && instructors && <LessonForm start={start} />}
    </Page>
  );
}

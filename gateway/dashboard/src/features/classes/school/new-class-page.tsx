import { Link, useLocation } from 'wouter';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useScopes } from '../../../api/me.ts';
import { useInstructorChoice, useInstructorCurrency, useInstructorZone } from '../../../api/names.ts';
import { Button } from '../../../design/button.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { ErrorNotice } from '../../../design/notice.tsx';
import { Loading, Page } from '../../../design/page.tsx';
import { USUAL_TEACHING } from '../../../design/teaching/teaching.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { bodyOf, type ClassValues } from '../class-body.ts';
import { useCreateClass } from '../classes.ts';
import { ClassFields } from './class-fields.tsx';
import '../classes.css';

const NOTHING: ClassValues = {
  ...USUAL_TEACHING,
  name: '',
  description: '',
  date: '',
  time: '',
  weekdays: [],
  count: '10',
  except: [],
  outsideHours: false,
};

function ClassForm({ instructor }: { instructor: string }) {
  const { t } = useLanguage();
  const client = useClient();
  const create = useCreateClass();
  const [, navigate] = useLocation();
  const form = useForm({ ...NOTHING, instructor }, (sent) => {
    const body = bodyOf(sent, { timeZone, currency });
    if (body) create.mutate(body, { onSuccess: ({ id }) => navigate(`/classes/${id}`) });
  });
  const { values, submit } = form;
  const timeZone = useInstructorZone(values.instructor);
  const currency = useInstructorCurrency(values.instructor);
  const body = bodyOf(values, { timeZone, currency });
  const preview = useDryRun('new-class', body, (complete, options) => client.classes.create(complete, options));
  const set = (changes: Partial<ClassValues>) => {
    create.reset();
    form.set(changes);
  };
  const error = create.error ?? preview.error;
  return (
    <form className="card stack lesson-form" onSubmit={submit}>
      <ClassFields values={values} set={set} timeZone={timeZone} currency={currency} error={error} />
      <ErrorNotice error={error} />
      <div className="row">
        <Button kind="primary" type="submit" isPending={create.isPending} isDisabled={!preview.data}>
          {t('classes.create')}
        </Button>
        <span className="hint">{t('classes.createHint')}</span>
      </div>
    </form>
  );
}

/** Makes a class as a draft: its page shows what is in the way of its dates, and opens it. */
export default function NewClassPage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const { data: instructors, error } = useInstructorChoice();
  return (
    <Page title={t('classes.new')} lead={<Link href="/classes">{t('classes.title')}</Link>}>
      <ErrorNotice error={error} />
      {!canWrite && <p className="hint">{t('role.needed')}</p>}
      {canWrite && !instructors && !error && <Loading />}
      {canWrite && instructors && <ClassForm instructor={instructors.length === 1 ? instructors[0]!.id : ''} />}
    </Page>
  );
}

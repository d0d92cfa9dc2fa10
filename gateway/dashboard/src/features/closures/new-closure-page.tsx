import type { Closure } from '@swim/sdk';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox, Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Loading, Page } from '../../design/page.tsx';
import { otherZone } from '../../design/values/instant-text.ts';
import { useLanguage } from '../../texts/language.tsx';
import { ALL_POOLS, bodyOf, type ClosureValues } from './closure-body.ts';
import { useCreateClosure } from './closures.ts';

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
}

interface PartProps {
  readonly values: ClosureValues;
  readonly set: (changes: Partial<ClosureValues>) => void;
  readonly error: unknown;
}

function When({ values, set, error, timeZone }: PartProps & { timeZone: string }) {
  const { t } = useLanguage();
  return (
    <>
      <div className="columns">
        <TextField
          label={t('closures.firstDay')}
          description={otherZone(timeZone)}
          type="date"
          value={values.firstDay}
          onChange={(firstDay) => set({ firstDay })}
          error={fieldErrorOf(error, 'from')}
          isRequired
        />
        <TextField
          label={t('closures.lastDay')}
          type="date"
          value={values.lastDay}
          onChange={(lastDay) => set({ lastDay })}
          error={fieldErrorOf(error, 'to')}
        />
      </div>
      <Checkbox isSelected={values.hasHours} onChange={(hasHours) => set({ hasHours })}>
        {t('closures.hours')}
      </Checkbox>
      {values.hasHours && (
        <div className="columns">
          {(['start', 'end'] as const).map((edge) => (
            <TextField
              key={edge}
              label={t(`instructors.${edge}`)}
              type="time"
              value={values[edge]}
              onChange={(time) => set({ [edge]: time })}
              isRequired
            />
          ))}
        </div>
      )}
    </>
  );
}

function Lessons({ values, set }: PartProps) {
  const { t } = useLanguage();
  const choices = (['cancel', 'keep'] as const).map((value) => ({ value, label: t(`closures.lessons.${value}`) }));
  const ways = [
    { value: 'original' as const, label: t('bookings.as.payment_method') },
    { value: 'credit' as const, label: t('bookings.as.credit') },
  ];
  return (
    <>
      <div className="columns">
        <Choice
          label={t('closures.lessons')}
          value={values.lessons}
          onChange={(lessons) => set({ lessons })}
          options={choices}
        />
        {values.lessons === 'cancel' && (
          <Choice
            label={t('bookings.refundAs')}
            value={values.refundAs}
            onChange={(refundAs) => set({ refundAs })}
            options={ways}
          />
        )}
      </div>
      {values.lessons === 'cancel' && (
        <Checkbox isSelected={values.notify} onChange={(notify) => set({ notify })}>
          {t('calendar.notify')}
        </Checkbox>
      )}
    </>
  );
}

function Preview({ closure, lessons }: { closure: Closure; lessons: ClosureValues['lessons'] }) {
  const { t } = useLanguage();
  const counts = { lessons: closure.lessons, sessions: closure.sessions };
  if (closure.lessons === 0) return <Notice kind="success">{t('closures.preview.none')}</Notice>;
  return <Notice kind="warning">{t(`closures.preview.${lessons}`, counts)}</Notice>;
}

interface FormProps {
  readonly pools: readonly Resource[];
  readonly instructors: readonly Resource[];
  readonly start: ClosureValues;
}

/** The time zone of what is closed. */
function useZone(what: string, { pools, instructors }: FormProps): string {
  const { account } = useMe();
  const resource = what === ALL_POOLS ? pools[0] : [...pools, ...instructors].find(({ id }) => id === what);
  return resource?.timezone ?? account.timezone;
}

function ClosureForm(props: FormProps) {
  const { pools, instructors, start } = props;
  const { t } = useLanguage();
  const client = useClient();
  const [, navigate] = useLocation();
  const create = useCreateClosure();
  const form = useForm(start, (sent) => {
    const body = bodyOf(sent, reading);
    if (body) create.mutate(body, { onSuccess: () => navigate('/closures') });
  });
  const { values, submit } = form;
  const timeZone = useZone(values.what, props);
  const reading = { timeZone, poolIds: pools.map(({ id }) => id) };
  const preview = useDryRun('closure', bodyOf(values, reading), (body, options) =>
    client.closures.create(body, options),
  );
  const set = (changes: Partial<ClosureValues>) => {
    create.reset();
    form.set(changes);
  };
  const error = create.error ?? preview.error;
  const part = { values, set, error };
  const choiceOf = ({ id, name }: Resource) => ({ value: id, label: name });
  return (
    <form className="card stack" onSubmit={submit}>
      <Choice
        label={t('closures.what')}
        value={values.what}
        onChange={(what) => set({ what })}
        options={[
          { value: '', label: '–' },
          ...(pools.length > 1 ? [{ value: ALL_POOLS, label: t('closures.allPools') }] : []),
          ...pools.map(choiceOf),
          ...instructors.map(choiceOf),
        ]}
      />
      <When {...part} timeZone={timeZone} />
      <TextField
        label={t('closures.reason')}
        description={t('closures.reasonHint')}
        value={values.reason}
        onChange={(reason) => set({ reason })}
        error={fieldErrorOf(error, 'reason')}
        isRequired
      />
      <Lessons {...part} />
      <div className="stack-tight" aria-live="polite">
        {preview.isPending && <Loading />}
        {preview.data && <Preview closure={preview.data} lessons={values.lessons} />}
        <ErrorNotice error={error} />
      </div>
      <div>
        <Button kind="danger" type="submit" isPending={create.isPending} isDisabled={!preview.data}>
          {t('closures.close')}
        </Button>
      </div>
    </form>
  );
}

const NOTHING: ClosureValues = {
  what: '',
  firstDay: '',
  lastDay: '',
  hasHours: false,
  start: '',
  end: '',
  reason: '',
  lessons: 'cancel',
  refundAs: 'original',
  notify: true,
};

/** Closes a pool, an instructor or the school for a time; which lessons that concerns is shown before. */
export default function NewClosurePage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('sessions:write');
  const [params] = useSearchParams();
  const instructors = useInstructorChoice();
  const pools = usePoolChoice();
  const only = pools.data?.length === 1 ? pools.data[0]!.id : '';
  return (
    <Page title={t('closures.new')} lead={<Link href="/closures">{t('nav.closures')}</Link>}>
      <ErrorNotice error={instructors.error ?? pools.error} />
      {!canWrite && <p className="hint">{t('role.needed')}</p>}
      {canWrite && (instructors.isPending || pools.isPending) && <Loading />}
      {canWrite && instructors.data && pools.data && (
        <ClosureForm
          pools={pools.data}
          instructors={instructors.data}
          start={{ ...NOTHING, what: params.get('what') ?? only, firstDay: params.get('date') ?? '' }}
        />
      )}
    </Page>
  );
}

import type { CreateEnrollmentBody, Enrollment, Lesson, SwimClass } from '@swim/sdk';
import { useState } from 'react';
import { useNow } from '../../../api/clock.ts';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog, DialogActions } from '../../../design/dialog.tsx';
import { CreditChoice, useCredits } from '../../../design/fields/credit-choice.tsx';
import { Checkbox, Choice } from '../../../design/fields/fields.tsx';
import { useForm } from '../../../design/fields/form.ts';
import { MethodChoice, useMethods } from '../../../design/fields/method-choice.tsx';
import { type Child, hasPlace } from '../../../design/lessons/open-lessons.ts';
import { Loading, Shown } from '../../../design/page.tsx';
import { money } from '../../../design/values/amount.ts';
import { instantText } from '../../../design/values/instant-text.ts';
import { wallClockAt } from '../../../design/values/wall-clock.ts';
import { Instant } from '../../../design/values/when.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useEnroll, useLessonsOfClass } from '../classes.ts';
import { EnrollmentProblem, LeftOut } from '../enrollment-problem.tsx';

interface Values {
  /** The first date; empty for the next one. */
  readonly startsOn: string;
  readonly skips: boolean;
  /** The method that was chosen; undefined for the default. */
  readonly methodId?: string;
  readonly creditId: string;
}

interface EnrollDialogProps {
  readonly child: Child;
  readonly swimClass: SwimClass;
  /** The hold of a place that the line has offered. */
  readonly holdId: string | undefined;
  readonly onEnrolled: (enrollment: Enrollment) => void;
  readonly onClose: () => void;
}

interface FormProps extends EnrollDialogProps {
  /** The lessons to come that the child lacks. */
  readonly lessons: readonly Lesson[];
}

/** What is sent, its outcome, and which lessons that books. */
function useEnrolling({ child, swimClass, holdId, lessons, onEnrolled, onClose }: FormProps) {
  const client = useClient();
  const { data: methods = [] } = useMethods();
  const [values, setValues] = useState<Values>({ startsOn: '', skips: false, creditId: '' });
  const methodId = values.methodId ?? methods.find((method) => method.is_default)?.id ?? '';
  const body: CreateEnrollmentBody = {
    member_id: child.id,
    on_conflict: values.skips ? 'skip' : 'fail',
    ...(values.startsOn ? { starts_on: values.startsOn } : {}),
    ...(holdId ? { hold_id: holdId } : {}),
    ...(methodId ? { payment_method_id: methodId } : {}),
    ...(values.creditId ? { makeup_credit_id: values.creditId } : {}),
  };
  const preview = useDryRun(`enroll-${swimClass.id}`, body, (complete, options) =>
    client.classes.createEnrollment(swimClass.id, complete, options),
  );
  const enroll = useEnroll(swimClass.id);
  const { submit } = useForm({}, () =>
    enroll.mutate(body, {
      onSuccess: (enrollment) => {
        onEnrolled(enrollment);
        onClose();
      },
    }),
  );
  const dayOf = ({ date }: Lesson) => wallClockAt(date, swimClass.recurrence.timezone).date;
  const leftOut = new Set(preview.data?.skipped.map(({ lesson_id: id }) => id));
  const booked = lessons.filter((each) => !leftOut.has(each.id) && dayOf(each) >= values.startsOn);
  const set = (changes: Partial<Values>) => {
    enroll.reset();
    setValues({ ...values, ...changes });
  };
  return { values, set, methods, methodId, preview, enroll, submit, dayOf, booked };
}

function EnrollForm(props: FormProps) {
  const { swimClass, lessons, onClose } = props;
  const { t, tag } = useLanguage();
  const { timezone } = swimClass.recurrence;
  const { values, set, methods, methodId, preview, enroll, submit, dayOf, booked } = useEnrolling(props);
  const { data: credits = [] } = useCredits(swimClass.account_id, swimClass.currency);
  const error = enroll.error ?? preview.error;
  const cents = booked.reduce((sum, { price_cents: each }) => sum + each, 0);
  const starts = lessons.map((each, at) => ({
    value: at === 0 ? '' : dayOf(each),
    label: instantText(each.date, tag, timezone),
  }));
  return (
    <form className="stack" onSubmit={submit}>
      <Choice
        label={t('classes.startsOn')}
        value={values.startsOn}
        onChange={(startsOn) => set({ startsOn })}
        options={starts}
      />
      <section className="stack-tight" aria-label={t('bookings.lessons')}>
        <strong>{t('open.picked', { count: booked.length, amount: money(cents, swimClass.currency, tag) })}</strong>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <ul className="plain-list enroll-dates" tabIndex={0}>
          {booked.map(({ id, date }) => (
            <li key={id}>
              <Instant at={date} timeZone={timezone} />
            </li>
          ))}
        </ul>
      </section>
      <MethodChoice
        methods={methods}
        value={methodId}
        onChange={(id) => set({ methodId: id })}
        none={t('open.noMethod')}
        description={t('open.methodHint')}
      />
      <CreditChoice credits={credits} value={values.creditId} onChange={(creditId) => set({ creditId })} />
      <div className="stack-tight" aria-live="polite">
        {preview.isPending && <Loading />}
        <EnrollmentProblem error={error} />
        {preview.data && <LeftOut skipped={preview.data.skipped} timeZone={timezone} />}
      </div>
      {(Boolean(error) || values.skips) && (
        <Checkbox isSelected={values.skips} onChange={(skips) => set({ skips })}>
          {t('classes.skip')}
        </Checkbox>
      )}
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isPending={enroll.isPending} isDisabled={!preview.data}>
          {t('classes.enrollAt', { price: money(cents, swimClass.currency, tag) })}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Enrolls a child, once the dates and the price of all of them are seen. */
export function EnrollDialog(props: EnrollDialogProps) {
  const { child, swimClass, onClose } = props;
  const { t } = useLanguage();
  const nowMs = useNow();
  const query = useLessonsOfClass(swimClass.id);
  const isLacking = (each: Lesson) =>
    each.status === 'scheduled' && Date.parse(each.date) > nowMs && !hasPlace(child.id, each);
  return (
    <Dialog title={t('classes.enrollTitle', { name: child.name, class: swimClass.name })} isOpen onClose={onClose}>
      <Shown query={query}>{(lessons) => <EnrollForm {...props} lessons={lessons.filter(isLacking)} />}</Shown>
    </Dialog>
  );
}

import type { Lesson, Session } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useInstructorNames } from '../../api/names.ts';
import { useZones } from '../../api/zones.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { Choice } from '../fields/fields.tsx';
import { useForm } from '../fields/form.ts';
import { ErrorNotice, Notice } from '../notice.tsx';
import { Loading } from '../page.tsx';
import { money } from '../values/amount.ts';
import { instantText } from '../values/instant-text.ts';
import { Instant } from '../values/when.tsx';
import { hasPlace, useChildren, useMisfits, useOpenLessons } from './open-lessons.ts';

interface ChangeLessonDialogProps {
  readonly session: Session;
  /** The lesson of the session. */
  readonly lesson: Lesson;
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** The lessons of the same school that have a place and fit the child, as options. */
function useTargets({ session, lesson }: ChangeLessonDialogProps) {
  const { t, tag } = useLanguage();
  const child = useChildren().data?.find(({ id }) => id === session.member_id);
  const query = useOpenLessons({ account_id: lesson.account_id, has_places: true });
  const misfitOf = useMisfits(query.rows ?? []);
  const zoneOf = useZones(query.rows ?? []);
  const fitting = query.rows?.filter(
    (each) =>
      each.currency === lesson.currency && child && !hasPlace(session.member_id, each) && !misfitOf(each, child),
  );
  const instructors = useInstructorNames(fitting?.map(({ instructor_id: id }) => id) ?? []);
  const options = fitting?.map((each) => ({
    value: each.id,
    label: [
      instantText(each.date, tag, zoneOf(each)),
      instructors.get(each.instructor_id) ?? '–',
      money(each.price_cents, each.currency, tag),
      t('lessons.placesLeft', { count: each.places_left }),
    ].join(' · '),
  }));
  return { options, error: query.error };
}

/** What a change to another lesson costs. */
function Difference({ session, after }: { session: Session; after: Session }) {
  const { t, tag } = useLanguage();
  const amount = (cents: number) => money(cents, after.currency, tag);
  const cents = after.price_cents - session.price_cents;
  const values = { price: amount(after.price_cents), difference: amount(Math.abs(cents)) };
  if (cents === 0) return <Notice kind="success">{t('open.samePrice', values)}</Notice>;
  return (
    <Notice kind={cents > 0 ? 'warning' : 'success'}>{t(cents > 0 ? 'open.dearer' : 'open.cheaper', values)}</Notice>
  );
}

/** Moves a child to another lesson of the school, once it is seen what that costs. */
export function ChangeLessonDialog(props: ChangeLessonDialogProps) {
  const { session, lesson, onChanged, onClose } = props;
  const { t } = useLanguage();
  const client = useClient();
  const zoneOf = useZones([lesson]);
  const targets = useTargets(props);
  const send = useOnce((target: string, idempotencyKey) =>
    client.sessions.update(session.id, { lesson_id: target, version: session.version }, { idempotencyKey }),
  );
  const change = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await onChanged();
      onClose();
    },
  });
  const { values, set, submit } = useForm({ target: '' }, ({ target }) => change.mutate(target));
  const body = values.target ? { lesson_id: values.target, version: session.version } : null;
  const preview = useDryRun(session.id, body, (changes, options) =>
    client.sessions.update(session.id, changes, options),
  );
  const choose = (target: string) => {
    change.reset();
    set({ target });
  };
  return (
    <Dialog title={t('open.changeTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="hint">
          {t('open.now')} <Instant at={lesson.date} timeZone={zoneOf(lesson)} />
        </p>
        <Choice
          label={t('lessons.target')}
          value={values.target}
          onChange={choose}
          options={[{ value: '', label: '–' }, ...(targets.options ?? [])]}
          description={targets.options?.length === 0 ? t('open.noTargets') : undefined}
        />
        <div className="stack-tight" aria-live="polite">
          {preview.isPending && <Loading />}
          {preview.data && <Difference session={session} after={preview.data} />}
          <ErrorNotice error={change.error ?? preview.error ?? targets.error} />
        </div>
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={change.isPending} isDisabled={!preview.data}>
            {t('open.change')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

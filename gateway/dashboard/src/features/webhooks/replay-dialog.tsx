import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { useForm } from '../../design/fields/form.ts';
import { wholeOf } from '../../design/fields/whole-number.ts';
import { WholeNumberField } from '../../design/fields/whole-number-field.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Loading } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useEndpointActions, useFirstFailure } from './webhooks.ts';

interface ReplayProps {
  readonly endpointId: string;
  readonly onClose: () => void;
}

function ReplayForm({ endpointId, onClose, firstFailure }: ReplayProps & { firstFailure: number | null }) {
  const { t } = useLanguage();
  const { replay } = useEndpointActions(endpointId);
  const start = { since: String(firstFailure ?? 0) };
  const { values, set, submit } = useForm(start, ({ since }) => replay.mutate(Number(since)));
  return (
    <form className="stack" onSubmit={submit}>
      <WholeNumberField
        label={t('webhooks.since')}
        description={t(firstFailure === null ? 'webhooks.sinceHint' : 'webhooks.sinceFailure')}
        value={values.since}
        onChange={(since) => set({ since })}
        error={fieldErrorOf(replay.error, 'since_sequence')}
      />
      <ErrorNotice error={replay.error} />
      {replay.data && <Notice kind="success">{t('webhooks.replayed', { count: replay.data.replayed })}</Notice>}
      <DialogActions onCancel={onClose}>
        <Button kind="primary" type="submit" isPending={replay.isPending} isDisabled={wholeOf(values.since) === null}>
          {t('webhooks.replay')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Delivers the events after a sequence number once more: at first those from the oldest failure on. */
export function ReplayDialog(props: ReplayProps) {
  const { t } = useLanguage();
  const { data, isPending } = useFirstFailure(props.endpointId);
  return (
    <Dialog title={t('webhooks.replay')} isOpen onClose={props.onClose}>
      {isPending ? <Loading /> : <ReplayForm {...props} firstFailure={data ?? null} />}
    </Dialog>
  );
}

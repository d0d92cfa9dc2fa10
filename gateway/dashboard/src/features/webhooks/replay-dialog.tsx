import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { useForm } from '../../design/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { wholeOf } from '../../design/whole-number.ts';
import { WholeNumberField } from '../../design/whole-number-field.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useEndpointActions } from './webhooks.ts';

/** Delivers the events after a sequence number once more. */
export function ReplayDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const { t } = useLanguage();
  const { replay } = useEndpointActions(endpointId);
  const { values, set, submit } = useForm({ since: '0' }, ({ since }) => replay.mutate(Number(since)));
  return (
    <Dialog title={t('webhooks.replay')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <WholeNumberField
          label={t('webhooks.since')}
          description={t('webhooks.sinceHint')}
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
    </Dialog>
  );
}

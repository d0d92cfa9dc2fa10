import type { Pool } from '@swim/sdk';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ZoneChoice } from '../../design/fields/zone-choice.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { PlaceFields } from './place-fields.tsx';
import { bodyOf, lanesOf, valuesOf } from './pool-body.ts';
import { useSavePool } from './pools.ts';

/** Adds a pool to the school, or changes one. */
export function PoolDialog({ pool, onClose }: { pool: Pool | null; onClose: () => void }) {
  const { t } = useLanguage();
  const { timezone } = useMe().account;
  const save = useSavePool(pool);
  const { values, set, submit } = useForm(valuesOf(pool, timezone), (sent) => {
    const body = bodyOf(sent);
    if (body) save.mutate(body, { onSuccess: onClose });
  });
  const lanesError = lanesOf(values.lanes) === undefined ? t('pools.noLanes') : undefined;
  return (
    <Dialog title={pool ? t('pools.edit') : t('pools.add')} isOpen onClose={onClose} isDismissable={false}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('pools.name')}
          value={values.name}
          onChange={(name) => set({ name })}
          error={fieldErrorOf(save.error, 'name')}
          isRequired
          autoFocus
        />
        <TextField
          label={t('pools.lanes')}
          description={t('pools.lanesHint')}
          inputMode="numeric"
          value={values.lanes}
          onChange={(lanes) => set({ lanes })}
          error={lanesError ?? fieldErrorOf(save.error, 'lanes')}
        />
        <PlaceFields values={values} set={set} error={save.error} />
        <ZoneChoice
          stored={pool?.timezone ?? timezone}
          value={values.timezone}
          onChange={(zone) => set({ timezone: zone })}
          error={fieldErrorOf(save.error, 'timezone')}
        />
        <ErrorNotice error={save.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={save.isPending} isDisabled={bodyOf(values) === null}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

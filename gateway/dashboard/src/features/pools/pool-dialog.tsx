import type { Pool } from '@swim/sdk';
import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields.tsx';
import { useForm } from '../../design/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { bodyOf, degreesOf, lanesOf, type PoolValues, valuesOf } from './pool-body.ts';
import { useSavePool } from './pools.ts';

interface PartProps {
  readonly values: PoolValues;
  readonly set: (changes: Partial<PoolValues>) => void;
  readonly error: unknown;
}

const DEGREES = [
  { key: 'latitude', most: 90 },
  { key: 'longitude', most: 180 },
] as const;

function Place({ values, set, error }: PartProps) {
  const { t } = useLanguage();
  const wrong = (text: string, most: number) =>
    text !== '' && degreesOf(text, most) === null ? t('pools.noDegrees', { most }) : undefined;
  return (
    <>
      <TextField
        label={t('pools.address')}
        value={values.address}
        onChange={(address) => set({ address })}
        error={fieldErrorOf(error, 'address')}
        isRequired
      />
      <div className="columns">
        {DEGREES.map(({ key, most }) => (
          <TextField
            key={key}
            label={t(`pools.${key}`)}
            description={t(`pools.${key}Hint`)}
            inputMode="text"
            value={values[key]}
            onChange={(text) => set({ [key]: text })}
            error={wrong(values[key], most) ?? fieldErrorOf(error, key)}
            isRequired
          />
        ))}
      </div>
    </>
  );
}

/** The time zones that the browser knows, and the one that is stored, which a newer one may be. */
const zonesWith = (zone: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].toSorted();

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
        <Place values={values} set={set} error={save.error} />
        <Choice
          label={t('pools.zone')}
          value={values.timezone}
          onChange={(zone) => set({ timezone: zone })}
          options={zonesWith(values.timezone).map((zone) => ({ value: zone, label: zone }))}
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

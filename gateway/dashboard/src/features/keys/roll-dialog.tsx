import type { ApiKey } from '@swim/sdk';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice } from '../../design/fields/fields.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { KeySecret } from './key-secret.tsx';
import { useKeyChanges } from './keys.ts';

const OVERLAPS = ['0', '1', '24', '72'] as const;

/** Replaces a key by one with the same rights; the old one works on for the overlap. */
export function RollDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useLanguage();
  const { roll } = useKeyChanges();
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]>('24');
  if (roll.data) return <KeySecret apiKey={roll.data} onClose={onClose} />;
  const options = OVERLAPS.map((value) => ({
    value,
    label: value === '0' ? t('keys.overlapNone') : t('keys.overlapHours', { count: value }),
  }));
  return (
    <Dialog title={t('keys.rollOf', { name: apiKey.name })} isOpen onClose={onClose}>
      <p>{t('keys.rollText')}</p>
      <Choice label={t('keys.overlap')} value={hours} onChange={setHours} options={options} />
      <ErrorNotice error={roll.error} />
      <DialogActions onCancel={onClose}>
        <Button
          kind="primary"
          isPending={roll.isPending}
          onPress={() => roll.mutate({ id: apiKey.id, hours: Number(hours) })}
        >
          {t('keys.roll')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

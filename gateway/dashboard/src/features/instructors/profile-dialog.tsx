import type { Instructor } from '@swim/sdk';
import { usePoolChoice } from '../../api/names.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { LevelChoice } from '../../design/fields/level-choice.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useUpdateInstructor } from './instructors.ts';
import { PoolChoice } from './pool-choice.tsx';
import { bodyOf, valuesOf } from './profile-body.ts';

const CONTACTS = [
  { key: 'name', isRequired: true },
  { key: 'email', type: 'email', isRequired: true },
  { key: 'phone', type: 'tel', placeholder: '+4930123456' },
] as const;

/** Changes what families read of an instructor, and how the school reaches the instructor. */
export function ProfileDialog({ instructor, onClose }: { instructor: Instructor; onClose: () => void }) {
  const { t } = useLanguage();
  const update = useUpdateInstructor(instructor);
  const { data: pools = [] } = usePoolChoice();
  const { values, set, submit } = useForm(valuesOf(instructor), (sent) =>
    update.mutate(bodyOf(sent, instructor.service_areas, pools), { onSuccess: onClose }),
  );
  return (
    <Dialog title={t('instructors.edit')} isOpen onClose={onClose} wide isDismissable={false}>
      <form className="stack" onSubmit={submit}>
        {CONTACTS.map(({ key, ...field }) => (
          <TextField
            key={key}
            {...field}
            label={t(`instructors.${key}`)}
            value={values[key]}
            onChange={(text) => set({ [key]: text })}
            error={fieldErrorOf(update.error, key)}
          />
        ))}
        <TextField
          label={t('instructors.bio')}
          rows={4}
          value={values.bio}
          onChange={(bio) => set({ bio })}
          error={fieldErrorOf(update.error, 'bio')}
        />
        <TextField
          label={t('instructors.languages')}
          description={t('instructors.languagesHint')}
          value={values.languages}
          onChange={(languages) => set({ languages })}
          error={fieldErrorOf(update.error, 'languages')}
        />
        <LevelChoice label={t('instructors.levels')} value={values.levels} onChange={(levels) => set({ levels })} />
        <PoolChoice pools={pools} value={values.pools} onChange={(chosen) => set({ pools: chosen })} />
        <ErrorNotice error={update.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={update.isPending}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

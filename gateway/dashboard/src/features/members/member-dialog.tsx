import type { Member } from '@swim/sdk';
import { LEVELS } from '../../api/levels.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { bodyOf, type MemberValues, valuesOf } from './member-body.ts';
import { useSaveMember } from './members.ts';

interface PartProps {
  readonly values: MemberValues;
  readonly set: (changes: Partial<MemberValues>) => void;
  readonly error: unknown;
}

function Person({ values, set, error }: PartProps) {
  const { t } = useLanguage();
  return (
    <>
      <TextField
        label={t('members.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        error={fieldErrorOf(error, 'name')}
        isRequired
        autoFocus
      />
      <div className="columns">
        <TextField
          label={t('members.born')}
          type="date"
          value={values.born}
          onChange={(born) => set({ born })}
          error={fieldErrorOf(error, 'date_of_birth')}
          isRequired
        />
        <Choice
          label={t('members.level')}
          value={values.level}
          onChange={(level) => set({ level })}
          options={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
        />
      </div>
    </>
  );
}

function Contact({ values, set, error }: PartProps) {
  const { t } = useLanguage();
  const errorOf = (part: string) => fieldErrorOf(error, `emergency_contact.${part}`);
  return (
    <fieldset className="plain-fieldset stack-tight">
      <legend className="label">{t('members.contact')}</legend>
      <div className="columns">
        <TextField
          label={t('members.name')}
          value={values.contactName}
          onChange={(contactName) => set({ contactName })}
          error={errorOf('name')}
        />
        <TextField
          label={t('members.phone')}
          type="tel"
          placeholder="+4930123456"
          value={values.contactPhone}
          onChange={(contactPhone) => set({ contactPhone })}
          error={errorOf('phone')}
        />
        <TextField
          label={t('members.relationship')}
          value={values.contactRelationship}
          onChange={(contactRelationship) => set({ contactRelationship })}
          error={errorOf('relationship')}
        />
      </div>
    </fieldset>
  );
}

/** Adds a member to the account, or changes one. */
export function MemberDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const { t } = useLanguage();
  const maySeeNotes = useScopes()('members:medical');
  const { kind } = useMe().account;
  const save = useSaveMember(member);
  const { values, set, submit } = useForm(valuesOf(member), (sent) =>
    save.mutate(bodyOf(sent, maySeeNotes), { onSuccess: onClose }),
  );
  return (
    <Dialog
      title={member ? t('members.edit') : t(`members.add.${kind}`)}
      isOpen
      onClose={onClose}
      wide
      isDismissable={false}
    >
      <form className="stack" onSubmit={submit}>
        <Person values={values} set={set} error={save.error} />
        <Contact values={values} set={set} error={save.error} />
        {maySeeNotes && (
          <TextField
            label={t('members.medical')}
            description={t('members.medicalHint')}
            rows={3}
            value={values.medicalNotes}
            onChange={(medicalNotes) => set({ medicalNotes })}
            error={fieldErrorOf(save.error, 'medical_notes')}
          />
        )}
        <ErrorNotice error={save.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={save.isPending}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

import { LEVELS } from '../../api/levels.ts';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { MemberValues } from './family-body.ts';

interface MemberFieldsProps {
  readonly values: MemberValues;
  readonly set: (changes: Partial<MemberValues>) => void;
  readonly error: unknown;
  /** What stands before the names of the fields in errors, such as `members[0].`. */
  readonly prefix?: string;
  /** Whether the school can give the member an id of its own. */
  readonly hasExternalId?: boolean;
}

/** The fields of a new member of a family. */
export function MemberFields({ values, set, error, prefix = '', hasExternalId = true }: MemberFieldsProps) {
  const { t } = useLanguage();
  const errorOf = (field: string) => fieldErrorOf(error, prefix + field);
  return (
    <div className="columns">
      <TextField
        label={t('members.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        error={errorOf('name')}
        isRequired
      />
      <TextField
        label={t('members.born')}
        type="date"
        value={values.born}
        onChange={(born) => set({ born })}
        error={errorOf('date_of_birth')}
        isRequired
      />
      <Choice
        label={t('members.level')}
        value={values.level}
        onChange={(level) => set({ level })}
        options={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      {hasExternalId && (
        <TextField
          label={t('families.externalId')}
          value={values.externalId}
          onChange={(externalId) => set({ externalId })}
          error={errorOf('external_id')}
        />
      )}
    </div>
  );
}

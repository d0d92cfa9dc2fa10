import { Checkbox } from '../../design/fields/fields.tsx';
import { useLanguage } from '../../texts/language.tsx';
import type { Place } from './profile-body.ts';

interface PoolChoiceProps {
  readonly pools: readonly Place[];
  readonly value: readonly string[];
  readonly onChange: (ids: string[]) => void;
}

/** The pools in which an instructor teaches: lessons are in the first of them unless another is chosen. */
export function PoolChoice({ pools, value, onChange }: PoolChoiceProps) {
  const { t } = useLanguage();
  if (pools.length === 0) return null;
  return (
    <fieldset className="plain-fieldset stack-tight">
      <legend className="label">{t('instructors.pools')}</legend>
      {pools.map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={value.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...value, id] : value.filter((each) => each !== id))}
        >
          {name}
        </Checkbox>
      ))}
    </fieldset>
  );
}

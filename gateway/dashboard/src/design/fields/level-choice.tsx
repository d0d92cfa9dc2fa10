import type { SwimmingLevel } from '@swim/sdk';
import { LEVELS } from '../../api/levels.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Checkbox } from './fields.tsx';

interface LevelChoiceProps {
  readonly label: string;
  readonly value: readonly SwimmingLevel[];
  readonly onChange: (levels: SwimmingLevel[]) => void;
}

/** A choice of any of the levels. */
export function LevelChoice({ label, value, onChange }: LevelChoiceProps) {
  const { t } = useLanguage();
  return (
    <fieldset className="plain-fieldset stack-tight">
      <legend className="label">{label}</legend>
      {LEVELS.map((level) => (
        <Checkbox
          key={level}
          isSelected={value.includes(level)}
          onChange={(isOn) => onChange(LEVELS.filter((each) => (each === level ? isOn : value.includes(each))))}
        >
          {t(`level.${level}`)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

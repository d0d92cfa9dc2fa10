import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { useLanguage } from '../../texts/language.tsx';
import { type FieldProblem, Problem } from './fields.tsx';
import './combo-box.css';

interface Option {
  readonly id: string;
  readonly name: string;
  /** Distinguishes two of the same name. */
  readonly detail?: string;
}

export interface ComboBoxProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The id of the chosen option; empty for none. */
  readonly value: string;
  /** The name of the chosen option, where the options may lack it. */
  readonly chosen?: string | undefined;
  /** Absent while they are being read. */
  readonly options: readonly Option[] | undefined;
  /** Called with what is typed, so that the options can be read. Without it, all options are given, and filtered here. */
  readonly onSearch?: (text: string) => void;
  /** Called with the id of the chosen option; with an empty text when it is removed. */
  readonly onChange: (id: string) => void;
  readonly error?: FieldProblem | undefined;
}

/** The options, and the chosen one of an earlier search. */
function optionsWith(options: readonly Option[], value: string, known: Option | undefined): readonly Option[] {
  const isMissing = known?.id === value && !options.some(({ id }) => id === value);
  return isMissing ? [...options, known] : options;
}

const ofAnySearch = () => true;

/** The field of a `SearchChoice` and the list below it. */
export default function ComboBoxField({ label, placeholder = '', options, onSearch, ...props }: ComboBoxProps) {
  const { value, chosen, onChange, error } = props;
  const { t } = useLanguage();
  const [picked, setPicked] = useState<Option>();
  const known = picked?.id === value || chosen === undefined ? picked : { id: value, name: chosen };
  const shown = optionsWith(options ?? [], value, known);
  const choose = (id: string) => {
    setPicked(shown.find((each) => each.id === id));
    onChange(id);
  };
  return (
    <ComboBox
      className="field"
      defaultItems={shown}
      {...(onSearch && { defaultFilter: ofAnySearch, onInputChange: onSearch })}
      value={value || null}
      onChange={(key) => choose(key === null ? '' : String(key))}
      menuTrigger="focus"
      allowsEmptyCollection
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className="label">{label}</Label>
      <div className="combo-box-field">
        <Input className="input select" placeholder={placeholder} />
        <Button className="combo-box-open" />
      </div>
      <FieldError className="field-error">{error !== undefined && <Problem of={error} />}</FieldError>
      <Popover className="combo-box-list">
        <ListBox<Option>
          renderEmptyState={() => (
            <div className="combo-box-option hint">{t(options ? 'field.noneFound' : 'state.loading')}</div>
          )}
        >
          {({ id, name, detail }) => (
            <ListBoxItem id={id} textValue={name} className="combo-box-option">
              {name}
              {detail && <span className="hint">{detail}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

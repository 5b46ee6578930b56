// SPDX-License-Identifier: Apache-2.0
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

type Values = Record<string, string | number | undefined>;

/**
 * `<div ${place({ left: 12 })}>` sets styles through the object model. Lit's own styleMap
 * writes a style attribute first, which the page's content security policy forbids.
 */
class Place extends Directive {
  private before: Values = {};

  render(_values: Values): unknown {
    return noChange;
  }

  override update(part: ElementPart, [values]: [Values]): unknown {
    const { style } = part.element as HTMLElement;
    for (const name of Object.keys(this.before)) if (values[name] === undefined) style.removeProperty(name);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === this.before[name]) continue;
      style.setProperty(name, typeof value === 'number' ? `${value}px` : value);
    }
    this.before = values;
    return noChange;
  }
}

export const place = directive(Place);

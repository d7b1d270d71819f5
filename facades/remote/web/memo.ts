import { Component, type ComponentChild, h } from "preact";

/** A component that is drawn again only when one of its properties is another. */
export function memo<P extends object>(draw: (props: P) => ComponentChild) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return differ(this.props, next);
    }

    override render() {
      return h(draw as (props: P) => null, this.props);
    }
  };
}

function differ(a: object, b: object): boolean {
  const before = Object.entries(a);
  const after = new Map(Object.entries(b));
  return before.length !== after.size ||
    before.some(([key, value]) => !Object.is(value, after.get(key)));
}

import { type Context, Service } from 'cordis'

declare module 'cordis' {
  interface Context {
    systemPrompt: SystemPrompt
  }
}

export interface PromptSection {
  readonly id: string
  /** Sections stand in ascending order; equal ones by id. */
  readonly order: number
  /** A function is called at each {@link SystemPrompt.render}; an empty text leaves the section out. */
  readonly text: string | (() => string)
}

/** Provider of `ctx.systemPrompt`: what plugins want a model to know, in sections that live as long as their plugin. */
export class SystemPrompt extends Service {
  private readonly sections = new Set<PromptSection>()

  constructor(ctx: Context) {
    super(ctx, 'systemPrompt')
  }

  /** Adds a section for as long as the calling plugin lives; the returned function takes it away earlier. */
  add(section: PromptSection): () => void {
    const dispose = this.ctx.effect(() => {
      this.sections.add(section)
      return () => {
        this.sections.delete(section)
      }
    }, `system prompt section ${section.id}`)
    return () => void dispose()
  }

  /** The whole prompt: sections in order, one blank line between them. */
  render(): string {
    return [...this.sections]
      .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
      .map(({ text }) => (typeof text === 'string' ? text : text()).trim())
      .filter(Boolean)
      .join('\n\n')
  }
}

export default SystemPrompt

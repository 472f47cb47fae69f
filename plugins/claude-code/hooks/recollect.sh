#!/bin/sh
# Hands one event of the client to recollect, wherever that is installed, without any configuration and without a fork.
# The client takes an exit code of 2 for "stop": only the program itself may say that, so everything else ends with 0.
trap 'exit 0' 0
event=$1

# Becomes the program of a shell-quoted command line, if that program is there.
become() {
    eval "set -- $1" 2>/dev/null
    command -v "$1" >/dev/null 2>&1 && exec "$@" claude-code "$event"
}

# Becomes what recollect left in its data folder: the quickest way to its hooks.
become_noted() {
    [ -f "$1/hook-command" ] || return
    noted=
    while IFS= read -r line || [ -n "$line" ]; do
        noted="$noted$line
"
    done <"$1/hook-command"
    become "$noted"
}

[ -n "$RECOLLECT_HOOK" ] && become "$RECOLLECT_HOOK"

home=${RECOLLECT_HOME:-$LETSGO_HOME}
case $home in
"")
    become_noted "${XDG_DATA_HOME:-$HOME/.local/share}/recollect"
    become_noted "$HOME/Library/Application Support/recollect"
    ;;
"~"*) become_noted "$HOME${home#"~"}" ;;
*) become_noted "$home" ;;
esac

if command -v recollect >/dev/null 2>&1; then
    # Another program of this name may end as it likes; only at the end of a turn a 2 can be meant.
    [ "$event" = Stop ] && exec recollect hook claude-code Stop
    recollect hook claude-code "$event"
elif [ "$event" = SessionStart ]; then
    how='`pipx install recollect` or `uv tool install recollect` installs it'
    said="The memory plugin is on, but the program recollect is not installed, so nothing is remembered: $how."
    printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}\n' "$said"
fi

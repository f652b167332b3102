/**
 * What the guardian runs: POSIX sh, of which dash takes about 1 MB. It reads lines from standard input, whose other end
 * the host alone holds: `+PID:START` for a process to look after (START 0: not known), `-PID:START` for one that is gone.
 * At the end of its input, which comes when the host has died in whatever way, it kills in rounds whoever is left: those
 * processes, whoever is in their session or group or has one of them as parent, and whoever carries the host's mark.
 *
 * $1: the beginning of the variable that marks the host's processes. $2: grep, or empty. $3: the folder of the host's
 * cgroups, or empty.
 *
 * It ignores signals that are meant for the host's group, and ends within moments of its host. /proc/PID/stat is read as
 * proc(5) has it; where there is none, groups are all that can be killed.
 */
export const GUARDIAN_SCRIPT = `
trap '' HUP INT TERM QUIT PIPE
known=' '
while read -r line; do
  token=\${line#?}
  case $line in
    +*) known="$known$token " ;;
    -*) case $known in *" $token "*) known="\${known%% "$token" *} \${known#* "$token" }" ;; esac ;;
  esac
done
mark=$1 grep=$2 cgroups=$3 round=0
look() {
  IFS= read -r line <"/proc/$1/stat" || return 1
  set -- "$1" \${line##*) }
  pid=$1 state=$2 parent=$3 group=$4 session=$5
  shift 20
  start=$1
} 2>/dev/null
belongs() {
  case $found in *" $parent "* | *" $group "* | *" $session "*) return 0 ;; esac
  case $known in *" $pid:$start "* | *" $pid:0 "* | *" $group:"* | *" $session:"* | *" $parent:"*) return 0 ;; esac
  case $marked in *" /proc/$pid/environ "*) return 0 ;; esac
  return 1
}
kill_round() {
  if [ -n "$cgroups" ]; then
    for file in "$cgroups"/*/cgroup.kill; do echo 1 >"$file"; done 2>/dev/null
  fi
  marked=' ' found=' ' before=
  if [ -n "$grep" ]; then
    set -- $("$grep" -lsF -- "$mark" /proc/[0-9]*/environ 2>/dev/null)
    marked=" $* "
  fi
  while [ "$before" != "$found" ]; do
    before=$found
    for folder in /proc/[0-9]*; do
      case $found in *" \${folder#/proc/} "*) continue ;; esac
      look "\${folder#/proc/}" || continue
      case $state in Z | X) continue ;; esac
      if [ "$pid" != "$$" ] && belongs; then found="$found$pid "; fi
    done
  done
  [ "$found" != ' ' ] || return 1
  kill -STOP $found 2>/dev/null
  kill -KILL $found 2>/dev/null
}
if [ ! -r /proc/self/stat ]; then
  for token in $known; do kill -KILL "-\${token%%:*}" 2>/dev/null; done
  exit 0
fi
while [ "$round" -lt 50 ] && { kill_round || [ "$found" != ' ' ]; }; do round=$((round + 1)); done
[ -z "$cgroups" ] || rmdir "$cgroups"/* "$cgroups" 2>/dev/null
`

"""The words for people of this app's fields, marked for translation."""

from django.utils.translation import gettext_noop

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "is_enabled": gettext_noop("switched on"),
    "position": gettext_noop("position"),
    "when": gettext_noop("when"),
    "condition": gettext_noop("if"),
    "then": gettext_noop("then"),
    "stop": gettext_noop("the later ones are not asked"),
    "inputs": gettext_noop("questions"),
}

# The refusals of the rules, which know no translations: those that a form's fields can have.
REFUSALS = (
    *(
        gettext_noop("A text of 1 to 60 characters is expected."),
        gettext_noop("A text of 1 to 64 characters is expected."),
        gettext_noop("A text of 1 to 80 characters is expected."),
        gettext_noop("A text of 1 to 200 characters is expected."),
        gettext_noop("A text of 1 to 255 characters is expected."),
        gettext_noop("A text of 1 to 500 characters is expected."),
        gettext_noop("A text of 1 to 4000 characters is expected."),
        gettext_noop("There is nothing in it that is compared."),
        gettext_noop("A number is expected."),
        gettext_noop("Two numbers are expected, the lower one first."),
        gettext_noop('Two times of a day are expected, such as ["18:00", "09:00"].'),
        gettext_noop("The two times are one."),
        gettext_noop("A list of 1 to 50 values is expected."),
        gettext_noop("A list of 1 to 50 operators is expected."),
        gettext_noop("A list of 1 to 10 acts is expected."),
        gettext_noop("A condition has at most 30 parts."),
        gettext_noop("Groups are at most 4 deep."),
    ),
    *(
        gettext_noop("There is no such operator."),
        gettext_noop("There is no such department."),
        gettext_noop("There is no such canned reply."),
        gettext_noop("The number of an operator is expected."),
        gettext_noop("The number of a department is expected."),
        gettext_noop("The number of a canned reply is expected."),
        gettext_noop("Must be from 1 to 43200 minutes."),
        gettext_noop("Must be from 1 to 129600 minutes, or null until the visitor writes."),
        gettext_noop("At most 32 small letters, digits and _ . - between them are expected."),
        gettext_noop("At most 40 small letters, digits and _ . - between them are expected."),
        gettext_noop("Each variable needs a fallback for where it is not known, such as {visitor.name|there}."),
        gettext_noop("All automations of the widget are expected, each once."),
    ),
    *(
        gettext_noop("A macro has one reply."),
        gettext_noop("Another macro has this key already."),
        gettext_noop("Must be from 1 to 9, or null."),
        gettext_noop("A list of at most 5 questions is expected."),
        gettext_noop("Each question has a key of its own."),
        gettext_noop("1 to 32 small letters, digits and _ are expected."),
    ),
)

"""django-simple-history: a model on SQLite, its changes dated by `_history_date`; a record of history holds until the next."""

import django
from django.conf import settings
from django.db import connection, models
from django.db.models import F, Window
from django.db.models.functions import Lead

settings.configure(
    INSTALLED_APPS=["simple_history"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=False,
)
django.setup()

from simple_history.models import HistoricalRecords  # noqa: E402, it needs the settings.

SCD2CHECK = {
    "feed": "changes",
    "deletes": "close",
    "changeBy": "row-time",
    "late": "never",
    "columns": {
        "key": ["customer_id"],
        "tracked": ["customer_segment", "points bigint"],
        "operation": "operation",
        "changedAt": "changed_at timestamp not null",
        "validFrom": "history_date",
        "validTo": "until",
        "isCurrent": None,
    },
}


class Customer(models.Model):
    customer_id = models.TextField(primary_key=True)
    customer_segment = models.TextField(null=True)
    points = models.BigIntegerField(null=True)
    history = HistoricalRecords(history_user_id_field=models.IntegerField(null=True))  # There are no users here.

    class Meta:
        app_label = "simple_history"  # One that is installed.


class SimpleHistory:
    def __init__(self):
        with connection.schema_editor() as editor:
            for model in (Customer, Customer.history.model):
                if model._meta.db_table in connection.introspection.table_names():
                    editor.delete_model(model)
                editor.create_model(model)

    def apply(self, rows):
        for row in sorted(rows, key=lambda row: row["changed_at"]):
            customer = Customer.objects.filter(pk=row["customer_id"]).first()
            if row["operation"] == "D":
                if customer is not None:
                    customer._history_date = row["changed_at"]
                    customer.delete()
                continue
            customer = customer or Customer(pk=row["customer_id"])
            customer.customer_segment, customer.points = row["customer_segment"], row["points"]
            customer._history_date = row["changed_at"]
            customer.save()

    def read(self):
        """A record holds until the next one. Of records of one date the last counts, as it does in `history.as_of(date)`."""
        following = Window(Lead("history_date"), partition_by="customer_id", order_by=[F("history_date"), F("history_id")])
        records = Customer.history.annotate(until=following).order_by()
        names = ["customer_id", "customer_segment", "points", "history_date", "until", "history_type"]
        return [
            record
            for record in records.values(*names)
            if record.pop("history_type") != "-" and record["history_date"] != record["until"]
        ]
